/** Settings of how senders are checked, and of who decides about them. One row each, in document order. */
import type { Setting } from './setting.ts';

export const SENDER_ROWS = [
  {
    key: 'senders.metadata_required',
    openPoint: 'OP-237',
    kind: 'boolean',
    default: true,
    description:
      'A new sender has to come with metadata, be it an empty object, as the interface says. The examples of the client libraries leave it out: without this it is then empty.',
  },
  {
    key: 'senders.screen_waived',
    openPoint: 'OP-178',
    kind: 'boolean',
    default: false,
    liveDefault: true,
    description:
      'Screen senders of accounts whose KYC is waived as well. They are approved at once all the same, and return to initial when a sanction list names them.',
  },
  {
    key: 'senders.recheck_on_edit',
    openPoint: 'OP-179',
    kind: 'boolean',
    default: true,
    description:
      'A change of the identity sends a verified, approved or rejected sender back to initial, and it is checked as if it were new. Without this it keeps its state and is only screened again.',
  },
  {
    key: 'reviews.two_persons',
    openPoint: 'OP-182',
    kind: 'boolean',
    default: false,
    description: 'A sender is approved only when two different operators have approved it.',
  },
] as const satisfies readonly Setting[];
