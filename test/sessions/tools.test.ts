/** The tools of this folder can see what they look for: who waits, who is in a circle, and what is out of order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlState } from '../../server/src/kernel/database.ts';
import { byKeys } from '../../server/src/storage/tenants.ts';
import { freshDatabase } from '../support/database.ts';
import { Chance } from './chance.ts';
import { wrongOrder } from './invariants.ts';
import { lockFaults as faultsOf, lockedKind } from './lock-order.ts';
import { runSchedule } from './schedule.ts';
import { Session } from './session.ts';

const { db, url } = await freshDatabase();
const [one, other] = [new Session('one', url), new Session('other', url)];
afterAll(() => Promise.all([one.close(), other.close()]));
beforeAll(async () => {
  await db.execute('create table places (place integer primary key)');
  await db.execute('insert into places values (1), (2)');
});

const LOCK = 'select place from places where place = $1::integer for update';

function locking(session: Session, ...places: readonly number[]): () => Promise<void> {
  return () =>
    session.db.inTx(async (tx) => {
      for (const place of places) await tx.query(LOCK, [place]);
    });
}

describe('a session', () => {
  it('stops before each statement and before its commit, and is seen to wait for another', async () => {
    one.start(locking(one, 1));
    other.start(locking(other, 1));
    expect([await one.standing(db), await other.standing(db)]).toEqual(['ready', 'ready']);
    expect(one.goOn()).toBe(LOCK);
    expect(await one.standing(db)).toBe('ready');
    other.goOn();
    expect(await other.standing(db)).toBe('blocked');
    expect(one.goOn()).toBe('commit');
    expect([await one.standing(db), await other.standing(db)]).toEqual(['ended', 'ready']);
    expect(other.goOn()).toBe('commit');
    expect(await other.standing(db)).toBe('ended');
    expect([one.transactions, other.transactions]).toEqual(Array(2).fill([[{ text: LOCK, rows: 1 }]]));
  });

  it('in a circle with another is freed by the server, and the fault is seen', async () => {
    one.start(locking(one, 1, 2));
    other.start(locking(other, 2, 1));
    for (const session of [one, other]) {
      await session.standing(db);
      session.goOn();
      await session.standing(db);
    }
    const trace: string[] = [];
    await runSchedule([one, other], { chance: new Chance(1), monitor: db, trace });
    expect(trace).toContain('all wait for each other');
    const faults = [one, other].flatMap(({ fault }) => (fault ? [sqlState(fault.fault)] : []));
    expect(faults).toEqual(['40P01']);
  });

  it('that throws sends nothing more and gives its locks back', async () => {
    one.start(() =>
      one.db.inTx(async (tx) => {
        await Promise.all([tx.execute('select 1 / 0'), tx.query(LOCK, [1])]);
      }),
    );
    await runSchedule([one], { chance: new Chance(1), monitor: db, trace: [] });
    expect(sqlState(one.fault?.fault)).toBe('22012');
    other.start(locking(other, 1));
    await runSchedule([other], { chance: new Chance(1), monitor: db, trace: [] });
    expect(other.fault).toBeUndefined();
  });
});

describe('the order of locks', () => {
  const lock = (table: string, how = 'order by 1 for update') => `select 1 from ${table} x where true ${how}`;
  const lockFaults = (texts: readonly string[]) => faultsOf(texts.map((text) => ({ text })));

  it.each<[string, string[], string[]]>([
    ['is right', [lock('senders'), 'select 1 from ledger_balances', lock('transactions'), lock('ledger_balances')], []],
    ['may take balances twice, when rows were missing', [lock('ledger_balances'), lock('ledger_balances')], []],
    ['is wrong', [lock('ledger_balances'), lock('transactions')], ['transactions are locked after ledger_balances']],
    ['is wrong', [lock('transactions'), lock('senders')], ['senders are locked after transactions']],
    ['is none', [lock('transactions', 'for update')], ['transactions are locked in no order']],
  ])('%s: %j', (_, statements, faults) => {
    expect(lockFaults(statements)).toEqual(faults);
  });

  it('is asked of a look-up by keys, too', () => {
    const lookUp = byKeys({ columns: 's.state', from: 'senders s', id: 'sender_id', lock: 'for share' });
    expect(lockedKind(lookUp)).toBe('senders');
    expect(lockFaults([lock('transactions'), lookUp])).toEqual(['senders are locked after transactions']);
    expect(lockFaults([lookUp, lock('transactions')])).toEqual([]);
  });

  it('is asked of a change that locks what it changes first', () => {
    const change = `update senders s set due_at = now() where (select count(*) from (${lock('senders')}) l) > 0`;
    expect(lockFaults([change, lock('ledger_balances')])).toEqual([]);
    expect(lockFaults([lock('ledger_balances'), change])).toEqual(['senders are locked after ledger_balances']);
  });

  it('has accounts before balances, and one account at a time needs no order', () => {
    const one = 'select name from accounts where account_id = $1::uuid for update';
    expect(lockFaults([lock('senders'), lock('transactions'), one, lock('ledger_balances')])).toEqual([]);
    expect(lockFaults([one, lock('senders')])).toEqual(['senders are locked after accounts']);
    expect(lockFaults(['select 1 from accounts a where true for update'])).toEqual(['accounts are locked in no order']);
  });

  it('begins with external ids, which are reserved by an insert', () => {
    const reserve = 'insert into external_ids (external_id) select u.x from accounts a order by u.x';
    expect(lockFaults([reserve, lock('senders'), lock('documents'), lock('transactions')])).toEqual([]);
    expect(lockFaults([lock('senders'), reserve])).toEqual(['external_ids are locked after senders']);
    expect(lockFaults([lock('transactions'), lock('documents')])).toEqual(['documents are locked after transactions']);
  });

  it('has nonces before everything, and the audit row of an operator behind it', () => {
    const [call, audit] = ['insert into nonces (nonce) select 1 order by 1', 'insert into audit_log values ($1::uuid)'];
    expect(lockFaults([call, lock('transactions'), lock('ledger_balances'), audit])).toEqual([]);
    expect(lockFaults([lock('transactions'), call])).toEqual(['nonces are locked after transactions']);
    expect(lockFaults([audit, lock('ledger_balances')])).toEqual(['ledger_balances are locked after audit_log']);
  });

  it('is asked of missing balances where one was missing: their account is locked then, and not otherwise', () => {
    const add = `insert into ledger_balances select 1 from accounts a join unnest($2) u on true
      where not exists (select 1 from ledger_balances b) order by 1 for share of a on conflict do nothing`;
    const added = (rows: number) => faultsOf([{ text: lock('ledger_balances') }, { text: add, rows }]);
    expect(added(1)).toEqual(['accounts are locked after ledger_balances']);
    expect(added(0)).toEqual([]);
  });

  it('has no place for what the lock on a transaction covers, nor for what nobody has thought of', () => {
    expect(lockFaults([lock('transactions'), lock('recipients')])).toEqual([
      'recipients have no place in the order of locks',
    ]);
    expect(lockFaults(['lock table anything in exclusive mode'])).toEqual([
      'anything have no place in the order of locks',
    ]);
  });

  it('keeps apart what is locked with nothing else', () => {
    const rules = 'lock table hold_rules in share row exclusive mode';
    expect(lockFaults([rules, 'insert into audit_log values ($1::uuid)'])).toEqual([]);
    expect(lockFaults([lock('webhook_deliveries'), lock('webhooks')])).toEqual([]);
    expect(lockFaults([lock('webhooks'), lock('transactions')])).toEqual([
      'locked in one transaction: webhooks, transactions',
    ]);
  });

  it('is not asked of work that passes over what others have locked', () => {
    expect(lockedKind(lock('transactions', 'for update skip locked'))).toBeUndefined();
  });
});

describe('the order of deliveries', () => {
  const attempt = (sequence: number, state: 'delivered' | 'waiting') => ({
    delivery: { webhookId: 'w', objectId: 'o', sequence },
    next: { nextAttemptAt: state === 'waiting' ? new Date() : null },
  });

  it.each<[string, ReturnType<typeof attempt>[], string[]]>([
    ['is right', [attempt(1, 'waiting'), attempt(1, 'delivered'), attempt(2, 'delivered')], []],
    ['is wrong', [attempt(1, 'waiting'), attempt(2, 'delivered')], ['sent too early: o 2']],
    ['is repeated', [attempt(1, 'delivered'), attempt(1, 'delivered')], ['sent again after its end: o 1']],
  ])('%s', (_, attempts, wrong) => {
    expect(wrongOrder(attempts)).toEqual(wrong);
  });
});
