/** What the operator listener is built from. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../observability/metrics.ts';
import type { HealthBoard } from '../providers/health-board.ts';
import type { PayinProviders } from '../providers/payin-registry.ts';
import type { FindTakers } from '../providers/takers.ts';
import type { DescribedSetting } from '../settings/describe.ts';
import type { HttpSender } from '../webhooks/http-sender.ts';
import type { OperatorContext } from './command.ts';

export interface OperatorServerOptions {
  readonly ctx: OperatorContext;
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'observeRequest' | 'countDroppedConnection' | 'counter'>;
  /** The settings of the running service, with secrets masked (settings/describe.ts). */
  readonly settings: readonly DescribedSetting[];
  /** The providers, as this process sees them. */
  readonly health: Pick<HealthBoard, 'standings'>;
  /** Who takes new orders of a payout type, as this process sees it. */
  readonly takers: FindTakers;
  readonly payinProviders: Pick<PayinProviders, 'named' | 'all'>;
  /** A process that only works has no other listener to be asked at. */
  readonly addHealth: (app: FastifyInstance) => void;
  /** Sends tests of webhooks. */
  readonly httpClient: Pick<HttpSender, 'send'>;
  /** Told when a key was revoked, so that this process stops accepting it at once. */
  readonly onKeyRevoked?: (key: string) => void;
}
