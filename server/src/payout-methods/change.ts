/**
 * Keeping, changing and deleting payout methods. Refusals: check.ts. A deleted one becomes `disabled` and stays so;
 * deleting it again changes nothing. Open points OP-87, OP-129, OP-130.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import { type Account, readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { allowedFields, checkPayoutMethod } from './check.ts';
import type { PayoutMethod } from './payout-method.ts';
import { insertMethods, lockMethods, updateMethods } from './store.ts';

export interface MethodCommand {
  readonly call: Call;
  /** Made before the batch for a new one; otherwise that of the path. */
  readonly payoutMethodId: string;
  readonly wish: { readonly kind: 'keep' | 'change'; readonly input: unknown } | { readonly kind: 'disable' };
}

export type MethodAnswer =
  | { readonly kind: 'kept'; readonly method: PayoutMethod }
  | {
      readonly kind: 'refused';
      readonly refusals: readonly Refusal[];
      /** Undefined: the type is not known. */
      readonly fields: FieldDescriptors | undefined;
    }
  /** No such method of this account. */
  | { readonly kind: 'unknown' }
  | Replayed;

type ChangeContext = Pick<Context, 'db' | 'settings' | 'catalogue'>;

/** Working copies: each command sees what the earlier ones of its batch did. */
interface Desk {
  readonly methods: Map<string, PayoutMethod>;
  readonly terms: ReadonlyMap<string, Account>;
  readonly added: Map<string, PayoutMethod>;
  readonly changed: Map<string, PayoutMethod>;
}

/** What a command kept may be changed or deleted again when it is run again. */
const firstRuns = new FirstRuns<MethodAnswer>();

export function changePayoutMethods(ctx: ChangeContext, commands: readonly MethodCommand[]): Promise<MethodAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const desk = await load(
      tx,
      commands.filter((_, index) => verdicts[index] !== 'replayed'),
    );
    const answers = firstRuns.answers(commands, verdicts, (command) => decide(ctx, desk, command));
    await insertMethods(tx, [...desk.added.values()]);
    await updateMethods(tx, [...desk.changed.values()]);
    return answers;
  });
}

async function load(tx: Tx, commands: readonly MethodCommand[]): Promise<Desk> {
  const keys = commands.map(({ call, payoutMethodId }) => ({ accountId: call.accountId, payoutMethodId }));
  const terms = await readTerms(
    tx,
    keys.map(({ accountId }) => accountId),
  );
  return {
    methods: new Map((await lockMethods(tx, keys)).map((method) => [method.payoutMethodId, method])),
    terms,
    added: new Map(),
    changed: new Map(),
  };
}

function decide(ctx: ChangeContext, desk: Desk, { call, payoutMethodId, wish }: MethodCommand): MethodAnswer {
  const { accountId, at } = call;
  const stored = desk.methods.get(payoutMethodId);
  const before = stored?.accountId === accountId ? stored : undefined;
  if (wish.kind === 'disable') return before ? disable(desk, before, at) : { kind: 'unknown' };
  if (wish.kind === 'change' && !before) return { kind: 'unknown' };
  const account = present(desk.terms.get(accountId), 'terms of the account');
  const facts = { catalogue: ctx.catalogue, account, before };
  const checked = checkPayoutMethod(wish.input, facts);
  if (!checked.ok) return { kind: 'refused', refusals: checked.refusals, fields: allowedFields(wish.input, facts) };
  const made = { accountId, payoutMethodId, state: 'enabled', createdAt: before?.createdAt ?? at } as const;
  return keep(desk, { ...made, ...checked.value, updatedAt: at });
}

function disable(desk: Desk, before: PayoutMethod, at: Date): MethodAnswer {
  if (before.state === 'disabled') return { kind: 'kept', method: before };
  return keep(desk, { ...before, state: 'disabled', updatedAt: at });
}

function keep(desk: Desk, method: PayoutMethod): MethodAnswer {
  const { payoutMethodId } = method;
  const target = desk.methods.has(payoutMethodId) && !desk.added.has(payoutMethodId) ? desk.changed : desk.added;
  target.set(payoutMethodId, method);
  desk.methods.set(payoutMethodId, method);
  return { kind: 'kept', method };
}
