/** Actions of operators when the database fails: nothing is done twice, and nobody is told a wrong outcome. */
import { describe, expect, it } from 'vitest';
import { CommitUnknown, type Database, DatabaseUnavailable, type Tx } from '../../server/src/kernel/database.ts';
import type { Log } from '../../server/src/kernel/log.ts';
import { silentLog } from '../../server/src/kernel/log.ts';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import { at, auditEntries, createPlainAccount, startOperatorService, textAt } from './support.ts';

type Fault = 'unknown after commit' | 'unknown before commit' | 'unavailable' | 'bug';

/** Fails the next transactions that write to the audit log, in this order. */
const planned: Fault[] = [];

function failing(db: Database): Database {
  return {
    ...db,
    async inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      let fault: Fault | undefined;
      const watched = async (tx: Tx) => {
        const result = await work({
          ...tx,
          execute: (text, values) => {
            if (text.includes('insert into audit_log')) fault = planned.shift();
            return tx.execute(text, values);
          },
        });
        if (fault === 'unavailable') throw new DatabaseUnavailable('lost');
        if (fault === 'unknown before commit') throw new CommitUnknown('lost at commit');
        if (fault === 'bug') throw new Error('a bug with text that no operator should read');
        return result;
      };
      const result = await db.inTx(watched);
      if (fault === 'unknown after commit') throw new CommitUnknown('lost at commit');
      return result;
    },
  };
}

describe('when the database fails', async () => {
  const faults: string[] = [];
  const log: Log = { ...silentLog, error: (message, fields) => faults.push(`${message} ${JSON.stringify(fields)}`) };
  const service = await startOperatorService({ flags: { sandboxOpeningBalance: '0' }, overDatabase: failing, log });
  const { call } = service;

  it.each<[string, Fault[]]>([
    ['the commit happened and its answer was lost', ['unknown after commit']],
    ['the commit did not happen and nobody knew', ['unknown before commit']],
    ['the connection was lost twice', ['unavailable', 'unavailable']],
    ['the answer was lost, then the connection', ['unknown after commit', 'unavailable']],
  ])('a credit is posted once when %s', async (_what, faultsToCome) => {
    const id = await createPlainAccount(service);
    planned.push(...faultsToCome);
    const answer = await call('POST', `/operator/accounts/${id}/credits`, { currency: 'USD', amount: '7' });
    planned.length = 0;
    expect(answer).toMatchObject({ status: 201, body: { amount: '7.00', balance: '7.00' } });
    expect(await auditEntries(service, `&subject=${id}&action=balance.credit`)).toHaveLength(1);
  });

  it.each([
    ['account', '/operator/accounts', { name: 'Lost' }, 'secret'],
    ['operator', '/operator/operators', { name: 'lost' }, 'token'],
  ])(
    'a new %s still comes with its secret when the first answer of the database was lost',
    async (_what, path, body, name) => {
      planned.push('unknown after commit');
      const answer = await call('POST', path, body);
      expect(answer.status).toBe(201);
      expect(textAt(answer.body, name).length).toBeGreaterThan(20);
    },
  );

  it('an outcome that stays unknown is 503, and repeating under the same command id tells it', async () => {
    const id = await createPlainAccount(service);
    const commandId = service.ctx.ids.next();
    const send = () =>
      call('POST', `/operator/accounts/${id}/credits`, { currency: 'USD', amount: '7' }, { commandId });
    planned.push(...Array.from({ length: 8 }, (): Fault => 'unknown before commit'));
    expect(await send()).toMatchObject({ status: 503, body: { error: 'outcome_unknown' } });
    planned.length = 0;
    expect(await send()).toMatchObject({ status: 201, body: { balance: '7.00' } });
    expect(await send()).toMatchObject({ status: 201, body: { balance: '7.00' } });
  });

  it('a database that is away is 503, and nothing was done', async () => {
    const id = await createPlainAccount(service);
    planned.push(...Array.from({ length: 8 }, (): Fault => 'unavailable'));
    const answer = await call('POST', `/operator/accounts/${id}/credits`, { currency: 'USD', amount: '7' });
    planned.length = 0;
    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect(at((await call('GET', `/operator/accounts/${id}/balances`)).body, 'balances')).toEqual([]);
  });

  it('a bug is 500 with the id of the request, and its text stays in the log', async () => {
    planned.push('bug');
    const answer = await call('POST', '/operator/accounts', { name: 'X' });
    expect(answer).toMatchObject({ status: 500, body: { error: 'fault' } });
    expect(JSON.stringify(answer.body)).not.toContain('no operator should read');
    const requestId = /request ([0-9a-f-]{36})/.exec(JSON.stringify(answer.body))?.[1];
    expect(faults.at(-1)).toContain(requestId);
  });

  it('after all of that the books are right', async () => {
    expect((await verifyLedger(service.db)).differences).toEqual([]);
  });
});
