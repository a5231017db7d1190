/**
 * Corridors as operators see and switch them: off for new payouts at once, as a whole or for one provider, and on
 * again. Open point OP-126. Refuses with corridor_unknown, provider_not_found.
 */
import { auditText } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Catalogue } from '../corridors/catalogue.ts';
import type { PayinCorridor, PayoutCorridor } from '../corridors/corridor.ts';
import type { Direction, SwitchedOff, SwitchName } from '../corridors/switch.ts';
import { switchedOff, switchOff, switchOn } from '../corridors/switches.ts';
import type { Command, OperatorContext } from './command.ts';
import { boundsView } from './corridor-view.ts';
import { timeView } from './time-view.ts';

export interface SwitchView {
  readonly type: string;
  readonly direction: Direction;
  /** Null: the type as a whole. */
  readonly provider: string | null;
  readonly active: boolean;
  /** Null while it is on. */
  readonly off_since: string | null;
  readonly off_by: string | null;
}

interface CorridorLine {
  readonly type: string;
  readonly direction: Direction;
  readonly about: string;
  readonly file: string;
  readonly currency: string;
  /** What a recipient receives at least and at most; null where nothing is said, and for payins. */
  readonly minimum_amount: string | null;
  readonly maximum_amount: string | null;
  readonly active: boolean;
  readonly off_since: string | null;
  readonly off_by: string | null;
  readonly providers_off: readonly string[];
}

interface SwitchInput extends SwitchName {
  readonly active: boolean;
  /** All that there are. One that is gone can still be switched on again. */
  readonly providers: readonly string[];
}

export async function setSwitch(
  ctx: OperatorContext,
  command: Command,
  { active, providers, ...name }: SwitchInput,
): Promise<Outcome<SwitchView>> {
  if (!isKnown(ctx.catalogue, name)) {
    return refusedAction('corridor_unknown', `${name.type} is not a ${name.direction} type of the service`);
  }
  if (!active && name.provider !== undefined && !providers.includes(name.provider)) {
    const known = providers.join(', ') || 'none';
    return refusedAction('provider_not_found', `no provider is named ${name.provider}; there are: ${known}`);
  }
  const outcome = await ctx.commands.run(command, {
    name: active ? 'corridor.enable' : 'corridor.disable',
    subject: name.type,
    intent: { direction: name.direction, provider: name.provider ?? null, active },
    change: async (tx) => {
      const off = { ...name, since: ctx.clock.now(), by: command.operator };
      const before = active ? await switchOn(tx, name) : await switchOff(tx, off);
      const answer = switchView(name, active ? undefined : (before ?? off));
      return done({ answer, subject: name.type, before: { ...switchView(name, before) }, after: { ...answer } });
    },
    recall: async (_tx, row): Promise<SwitchView> => ({
      ...switchView(name, undefined),
      active,
      off_since: active ? null : auditText(row.after, 'off_since'),
      off_by: active ? null : auditText(row.after, 'off_by'),
    }),
  });
  if (outcome.ok) ctx.wake.wake('corridors');
  return outcome;
}

/** Every type of the catalogue, payouts first; balances are one per currency and are left out unless one is off. */
export async function listCorridors(ctx: OperatorContext): Promise<CorridorLine[]> {
  const off = await ctx.db.inTx(switchedOff);
  const { catalogue, amountBounds: bounds } = ctx;
  const unbounded = { minimum_amount: null, maximum_amount: null };
  const lines = [
    ...catalogue.payouts().map((corridor) => ({
      ...lineOf('payout', corridor, off),
      ...boundsView(bounds, corridor.type),
    })),
    ...catalogue.payins().map((corridor) => ({ ...lineOf('payin', corridor, off), ...unbounded })),
  ];
  return lines.filter(({ type, active }) => !active || !type.endsWith('::Balance'));
}

function lineOf(
  direction: Direction,
  { type, currency, facts }: Pick<PayoutCorridor | PayinCorridor, 'type' | 'currency' | 'facts'>,
  off: readonly SwitchedOff[],
): Omit<CorridorLine, keyof ReturnType<typeof boundsView>> {
  const own = off.filter((each) => each.type === type && each.direction === direction);
  const whole = own.find(({ provider }) => provider === undefined);
  const { active, off_since, off_by } = switchView({ direction, type, provider: undefined }, whole);
  return {
    type,
    direction,
    about: facts.about,
    file: facts.file,
    currency,
    active,
    off_since,
    off_by,
    providers_off: own.flatMap(({ provider }) => provider ?? []),
  };
}

function switchView({ type, direction, provider }: SwitchName, off: SwitchedOff | undefined): SwitchView {
  return {
    type,
    direction,
    provider: provider ?? null,
    active: off === undefined,
    off_since: timeView(off?.since),
    off_by: off?.by ?? null,
  };
}

function isKnown(catalogue: Catalogue, { type, direction }: SwitchName): boolean {
  return (direction === 'payout' ? catalogue.payout(type) : catalogue.payin(type)) !== undefined;
}
