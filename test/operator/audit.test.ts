/** The audit log as operators read it: `payferry audit list` and `show`, and its routes. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { operatorCli, runCli } from './run-cli.ts';
import { auditEntries, createPlainAccount, startOperatorService, textAt } from './support.ts';

const service = await startOperatorService({ flags: { sandboxOpeningBalance: '0' } });
const { call } = service;
const { lines, json, data } = await operatorCli(service);

async function lineOf(subject: string, action: string): Promise<string> {
  const [, ...rows] = await lines('audit', 'list', '--subject', subject, '--action', action);
  expect(rows).toHaveLength(1);
  return rows[0] ?? '';
}

it('a line of the list tells what changed', async () => {
  const id = await createPlainAccount(service, 'Old name');
  await call('PATCH', `/operator/accounts/${id}`, { name: 'New name', negative_balance: true });
  const [titles] = await lines('audit', 'list', '--subject', id);
  expect(titles).toBe('When | Who | What | On | Command | Changed | Reason');
  expect(await lineOf(id, 'account.set')).toMatch(/ \| name Old name -> New name; negative_balance false -> true$/);
  await call('POST', `/operator/accounts/${id}/credits`, { currency: 'USD', amount: '12.50', reference: 'bank 7' });
  expect(await lineOf(id, 'balance.credit')).toMatch(/ \| balance 0\.00 -> 12\.50; amount 12\.50; .*reference bank 7/);
});

it('and why, where a reason was given', async () => {
  const id = await createPlainAccount(service);
  await call('POST', `/operator/accounts/${id}/admission`, { reason: 'known from the old system' });
  expect(await lineOf(id, 'account.admit')).toMatch(/ \| known from the old system$/);
});

it('what is new or removed is told so, a long one cut', async () => {
  const id = await createPlainAccount(service);
  expect(await lineOf(id, 'account.create')).toMatch(/ \| id .*…$/);
  const rule = (
    await call('POST', '/operator/hold-rules', { account_id: id, kind: 'country', side: 'sender', countries: ['NG'] })
  ).body;
  const ruleId = textAt(rule, 'rule', 'id');
  await call('DELETE', `/operator/hold-rules/${ruleId}`);
  expect(await lineOf(ruleId, 'hold_rule.remove')).toMatch(/ \| removed$/);
});

it('one line is shown by its id, with everything before and after', async () => {
  const id = await createPlainAccount(service, 'Old name');
  const commandId = randomUUID();
  await call('PATCH', `/operator/accounts/${id}`, { name: 'New name' }, { commandId });
  const [entry] = await auditEntries(service, `&subject=${id}&action=account.set`);
  expect(await json('audit', 'show', commandId.toUpperCase())).toEqual({ entry });
  const shown = await lines('audit', 'show', commandId);
  expect(shown).toEqual(
    expect.arrayContaining([
      `id | ${commandId}`,
      'operator | ada',
      'Field | Before | After',
      'name | Old name | New name',
    ]),
  );
  expect(shown).toContain('kyc | waived | waived');
});

it('an id that no line has is refused', async () => {
  expect(await call('GET', `/operator/audit/${randomUUID()}`)).toMatchObject({
    status: 404,
    body: { error: 'audit_not_found' },
  });
  expect(await runCli(['audit', 'show', randomUUID(), '--data', data])).toMatchObject({
    code: 1,
    stderr: 'payferry: audit_not_found: no line of the audit log has this id\n',
  });
});

it('what was done to an account is found by its id in capitals too', async () => {
  const id = await createPlainAccount(service);
  const written = await auditEntries(service, `&subject=${id}`);
  expect(written).not.toEqual([]);
  expect(await auditEntries(service, `&subject=${id.toUpperCase()}`)).toEqual(written);
});
