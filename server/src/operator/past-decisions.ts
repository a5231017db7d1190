/**
 * What operators have decided about a sender, read from the audit log: also bans and lifts, for which no review is
 * open.
 */
import { type AuditRow, auditText } from '../accounts/audit.ts';
import { DECISIONS, type DecisionName } from '../reviews/decide-review.ts';

/** As the audit log calls them. */
export const ACTIONS = {
  approve: 'sender.approve',
  reject: 'sender.reject',
  ban: 'sender.ban',
  lift: 'sender.lift',
} as const satisfies Record<DecisionName, string>;

export interface PastDecision {
  readonly do: DecisionName;
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  readonly from: string;
  readonly to: string;
}

export function decisionsIn(audited: readonly AuditRow[]): PastDecision[] {
  return audited.flatMap(({ action, at, operator: by, before, after }) => {
    const what = DECISIONS.find((name) => ACTIONS[name] === action);
    if (what === undefined) return [];
    const [from, to] = [auditText(before, 'state'), auditText(after, 'state')];
    return [{ do: what, at, by, reason: auditText(after, 'reason'), from, to }];
  });
}
