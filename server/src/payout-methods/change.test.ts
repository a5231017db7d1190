/** What a batch does that a single call cannot show: commands that see each other, and commands that are run again. */
import { describe, expect, it } from 'vitest';
import { ids, makeAccount, settingsFor } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { OBI } from '../../../test/support/payout.ts';
import { loadCatalogue } from '../corridors/catalogue.ts';
import { changePayoutMethods, type MethodAnswer, type MethodCommand } from './change.ts';
import { findPayoutMethod } from './find.ts';
import type { PayoutMethod } from './payout-method.ts';

const { db } = await freshDatabase();
const ctx = { db, settings: settingsFor({}), catalogue: loadCatalogue() };
const NOON = new Date('2026-11-16T12:00:00.000Z');
const { accountId } = await makeAccount(db);

function command(wish: MethodCommand['wish'], payoutMethodId: string = ids.next(), at: Date = NOON): MethodCommand {
  return { call: { accountId, key: 'key', nonce: ids.next(), commandId: ids.next(), at }, payoutMethodId, wish };
}
const keep = (input: unknown = OBI) => command({ kind: 'keep', input });
const change = (id: string, input: unknown, at?: Date) => command({ kind: 'change', input }, id, at);
const disable = (id: string, at?: Date) => command({ kind: 'disable' }, id, at);
const later = (ms: number) => new Date(NOON.getTime() + ms);

const run = (...commands: MethodCommand[]) => changePayoutMethods(ctx, commands);

function methodIn(answer: MethodAnswer | undefined): PayoutMethod {
  if (answer?.kind !== 'kept') throw new Error(`not kept: ${JSON.stringify(answer)}`);
  return answer.method;
}

async function kept(): Promise<PayoutMethod> {
  return methodIn((await run(keep()))[0]);
}

const stored = (id: string) => findPayoutMethod(ctx, { accountId, payoutMethodId: id });

describe('in one batch', () => {
  it('each command sees what the earlier ones did', async () => {
    const { payoutMethodId: id } = await kept();
    const answers = await run(
      change(id, { details: { bank_code: '011' } }),
      change(id, { details: { email: 'o@example.com' } }),
      disable(id),
      change(id, { details: { bank_code: '050' } }),
      disable(id),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept', 'refused', 'kept']);
    expect(await stored(id)).toMatchObject({
      state: 'disabled',
      details: { ...OBI.details, bank_code: '011', email: 'o@example.com' },
    });
  });

  it('a refused one leaves nothing behind, and the others are kept', async () => {
    const wrong = keep({ type: 'NGN::Bank', details: {} });
    const right = keep();
    const [refused, done] = await run(wrong, right);
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(await stored(wrong.payoutMethodId)).toBeUndefined();
    expect(await stored(right.payoutMethodId)).toEqual(methodIn(done));
  });
});

describe('a command that is run again after a lost answer', () => {
  it('keeps its method once', async () => {
    const first = keep();
    const answers = await run(first);
    await run(change(first.payoutMethodId, { metadata: { a: 1 } }, later(1)));
    expect(await run(first)).toEqual(answers);
    expect(await stored(first.payoutMethodId)).toMatchObject({ metadata: { a: 1 } });
  });

  it('does not write over what somebody changed since', async () => {
    const { payoutMethodId: id } = await kept();
    const first = change(id, { metadata: { by: 'first' } });
    await run(first);
    await run(change(id, { metadata: { by: 'second' } }, later(1)));
    expect(methodIn((await run(first))[0]).metadata).toEqual({ by: 'first' });
    expect((await stored(id))?.metadata).toEqual({ by: 'second' });
  });

  it('is still told that it was done when the method was deleted since, and refused when it was deleted before', async () => {
    const { payoutMethodId: id } = await kept();
    const first = change(id, { metadata: { by: 'first' } });
    await run(first);
    await run(disable(id, later(1)));
    expect((await run(first))[0]?.kind).toBe('kept');
    const tooLate = change(id, { metadata: {} }, later(2));
    expect((await run(tooLate))[0]?.kind).toBe('refused');
    expect((await run(tooLate))[0]?.kind).toBe('refused');
  });

  it('is a replay when another command comes with the same nonce', async () => {
    const first = keep();
    await run(first);
    const { call, ...others } = keep();
    const [answer] = await run({ ...others, call: { ...call, nonce: first.call.nonce } });
    expect(answer).toEqual({ kind: 'replayed' });
  });
});
