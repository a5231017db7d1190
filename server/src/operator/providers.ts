/** Pausing and resuming providers. The word is stored, and every process does it within seconds. Open point OP-162. */
import { auditText } from '../accounts/audit.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { HealthBoard } from '../providers/health-board.ts';
import { listSwitches, type ProviderSwitch, setSwitch } from '../providers/switches.ts';
import type { Command, OperatorContext } from './command.ts';
import { timeView } from './time-view.ts';

type Health = Pick<HealthBoard, 'standings'>;

interface ProviderView {
  readonly name: string;
  /** An operator's word: it gets no new orders. */
  readonly held: boolean;
  /** Whose word that was, and when; null: nobody has ever said anything. */
  readonly changed_by: string | null;
  readonly changed_at: string | null;
  /** How the process that answers sees it: open, paused (it failed too often), held. */
  readonly state: string;
  readonly since: string | null;
}

export async function listProviders(ctx: OperatorContext, health: Health): Promise<ProviderView[]> {
  const said = new Map((await listSwitches(ctx.db)).map((each) => [each.provider, each]));
  return health.standings().map(({ provider, health: seen }) => {
    const word = said.get(provider);
    return {
      name: provider,
      held: word?.isHeld ?? false,
      changed_by: word?.changedBy ?? null,
      changed_at: timeView(word?.changedAt),
      state: seen.state,
      since: seen.state === 'open' ? null : seen.since.toISOString(),
    };
  });
}

export type SwitchView = ReturnType<typeof switchView>;

/** Refuses with provider_not_found, already_paused. Resuming also opens one that was paused because it failed. */
export async function switchProvider(
  ctx: OperatorContext,
  health: Health,
  command: Command,
  { name, isHeld }: { readonly name: string; readonly isHeld: boolean },
): Promise<Outcome<SwitchView>> {
  if (!health.standings().some(({ provider }) => provider === name)) {
    const known = health.standings().map(({ provider }) => provider);
    return refusedAction(
      'provider_not_found',
      `no provider is named ${name}; there are: ${known.join(', ') || 'none'}`,
    );
  }
  const outcome = await ctx.commands.run(command, {
    name: isHeld ? 'provider.pause' : 'provider.resume',
    subject: name,
    intent: { held: isHeld },
    change: async (tx) => {
      const said = { provider: name, isHeld, changedAt: ctx.clock.now(), changedBy: command.operator };
      const before = await setSwitch(tx, said);
      if (isHeld && before?.isHeld) return refusedAction('already_paused', `${before.changedBy} has paused it`);
      const after = switchView(said);
      return done({ answer: after, subject: name, before: before ? switchView(before) : null, after });
    },
    recall: async (_tx, row) => ({
      name,
      held: isHeld,
      changed_by: auditText(row.after, 'changed_by'),
      changed_at: auditText(row.after, 'changed_at'),
    }),
  });
  if (outcome.ok) for (const topic of ['providers', 'transactions'] as const) ctx.wake.wake(topic);
  return outcome;
}

function switchView({ provider, isHeld, changedAt, changedBy }: ProviderSwitch) {
  return { name: provider, held: isHeld, changed_by: changedBy, changed_at: changedAt.toISOString() };
}
