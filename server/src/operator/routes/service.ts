/** The service itself: verification of the ledger, audit log, settings and metrics. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { findAudit, listAudit } from '../../accounts/audit.ts';
import { done, refusedAction } from '../../accounts/operator-refusals.ts';
import { nextCursor } from '../../kernel/cursor.ts';
import { type LedgerReport, verifyLedger } from '../../ledger/verify.ts';
import { cursorText, readCursor } from '../cursor.ts';
import { sendOutcome } from '../problem.ts';
import { AuditParams, AuditQueryString, DEFAULT_PAGE } from '../schemas.ts';
import type { OperatorServerOptions } from '../server-options.ts';
import { auditView } from '../views.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function serviceRoutes(app: FastifyInstance, { ctx, metrics, settings }: OperatorServerOptions): void {
  const verifyOnce = shareWhileRunning(() => verifyLedger(ctx.db));

  app.get('/operator/ledger/verification', async () => reportView(await verifyOnce()));

  app.get<{ Querystring: Type.Static<typeof AuditQueryString> }>(
    '/operator/audit',
    { schema: { querystring: AuditQueryString } },
    async ({ query }) => {
      const limit = Number(query.limit ?? DEFAULT_PAGE);
      const rows = await ctx.db.inTx((tx) =>
        listAudit(tx, {
          operator: query.operator ?? null,
          action: query.action ?? null,
          subject: subjectOf(query.subject),
          before: readCursor(query.before),
          limit,
        }),
      );
      const next = nextCursor(rows, limit, (last) => ({ at: last.at, id: last.auditId }));
      return { entries: rows.map(auditView), next: cursorText(next) };
    },
  );

  app.get<{ Params: Type.Static<typeof AuditParams> }>(
    '/operator/audit/:audit_id',
    { schema: { params: AuditParams } },
    async ({ params }, reply) => {
      const row = await ctx.db.inTx((tx) => findAudit(tx, params.audit_id));
      return sendOutcome(reply, row ? done(row) : refusedAction('audit_not_found'), (found) => ({
        entry: auditView(found),
      }));
    },
  );

  app.get('/operator/settings', async () => ({
    settings: settings.map(({ key, value, origin, originName }) => ({ key, value, origin, origin_name: originName })),
  }));

  app.get('/metrics', { config: { isMetrics: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}

function reportView({ accountsChecked, differences, isComplete }: LedgerReport) {
  return {
    clean: differences.length === 0,
    complete: isComplete,
    accounts_checked: accountsChecked,
    differences: differences.map(({ kind, accountId, where, expected, found }) => ({
      kind,
      account_id: accountId,
      where,
      expected,
      found,
    })),
  };
}

/** A verification reads all books: whoever asks while one runs gets its report. */
function shareWhileRunning<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Ids are taken in capitals too, as everywhere else; names and keys are what they are. */
function subjectOf(written: string | undefined): string | null {
  if (written === undefined) return null;
  return UUID.test(written) ? written.toLowerCase() : written;
}
