/**
 * Webhooks that cannot be signed, because the secret of their key does not open. This process leaves them alone for a
 * while, whatever waits for them, and says so once each time; all others go on.
 */
import type { Context } from '../context.ts';
import { putOffFrom } from '../kernel/put-off.ts';
import type { Unsigned } from './fill-deliveries.ts';

export class UnsignedWebhooks {
  readonly #ctx: Pick<Context, 'clock' | 'log'>;
  /** Until when, by id. */
  readonly #until = new Map<string, Date>();

  constructor(ctx: Pick<Context, 'clock' | 'log'>) {
    this.#ctx = ctx;
  }

  /** Those that are left alone now. */
  ids(): string[] {
    const now = this.#ctx.clock.now();
    for (const [webhookId, until] of this.#until) if (until <= now) this.#until.delete(webhookId);
    return [...this.#until.keys()];
  }

  leaveAlone(unsigned: readonly Unsigned[]): void {
    for (const { delivery, fault } of unsigned) {
      const { accountId, webhookId } = delivery;
      if (this.#until.has(webhookId)) continue;
      this.#until.set(webhookId, putOffFrom(this.#ctx.clock.now()));
      const ids = { account_id: accountId, webhook_id: webhookId };
      this.#ctx.log.error('a webhook cannot be signed; its deliveries wait', ids, fault);
    }
  }
}
