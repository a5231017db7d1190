import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../kernel/database.ts';
import { createMetrics } from './metrics.ts';

async function linesOf(metrics: { text(): Promise<string> }): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('metrics', () => {
  it('shows of requests and batches only what alerts wait for, before there were any', async () => {
    const metrics = createMetrics({ process: false });
    const zeros = [
      'payferry_http_faults_total{status="500"} 0',
      'payferry_http_faults_total{status="503"} 0',
      'payferry_dropped_connections_total{listener="api"} 0',
      'payferry_dropped_connections_total{listener="operator"} 0',
    ];
    expect(await linesOf(metrics)).toEqual(zeros);
    metrics.batchObserver('fund');
    expect(await linesOf(metrics)).toEqual([
      ...zeros,
      'payferry_batch_faults_total{operation="fund",fault="DatabaseUnavailable"} 0',
      'payferry_batch_faults_total{operation="fund",fault="CommitUnknown"} 0',
      'payferry_batch_faults_total{operation="fund",fault="40P01"} 0',
      'payferry_batch_faults_total{operation="fund",fault="40001"} 0',
      'payferry_batch_faults_total{operation="fund",fault="57014"} 0',
    ]);
  });

  it('counts faults of requests by status, and not that a process is asked before it is ready', async () => {
    const metrics = createMetrics({ process: false });
    for (const [route, status] of [
      ['/v1/accounts', 500],
      ['/v1/transactions', 500],
      ['/v1/transactions', 422],
      ['/health/ready', 503],
    ] as const) {
      metrics.observeRequest({ method: 'GET', route, status, seconds: 0 });
    }
    const lines = await linesOf(metrics);
    expect(lines.filter((line) => line.startsWith('payferry_http_faults_total'))).toEqual([
      'payferry_http_faults_total{status="500"} 2',
      'payferry_http_faults_total{status="503"} 0',
    ]);
  });

  it('counts and times requests by method, route and status', async () => {
    const metrics = createMetrics({ process: false });
    const request = { method: 'GET', route: '/v1/accounts/:currency', seconds: 0.004 };
    metrics.observeRequest({ ...request, status: 200 });
    metrics.observeRequest({ ...request, status: 200 });
    metrics.observeRequest({ ...request, status: 404 });
    const labels = 'method="GET",route="/v1/accounts/:currency"';
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        `payferry_http_request_seconds_count{${labels},status="200"} 2`,
        `payferry_http_request_seconds_count{${labels},status="404"} 1`,
        `payferry_http_request_seconds_bucket{le="0.0025",${labels},status="200"} 0`,
        `payferry_http_request_seconds_bucket{le="0.005",${labels},status="200"} 2`,
      ]),
    );
  });

  it('shows sizes, waits, run times and faults of batches by operation', async () => {
    const metrics = createMetrics({ process: false });
    const observe = metrics.batchObserver('fund');
    observe({ name: 'fund', commands: 40, waitedMs: 3, ranMs: 12 });
    observe({
      name: 'fund',
      commands: 2,
      waitedMs: 1,
      ranMs: 5,
      fault: Object.assign(new Error('deadlock detected'), { code: '40P01' }),
    });
    observe({ name: 'fund', commands: 1, waitedMs: 0, ranMs: 5, fault: new DatabaseUnavailable('away') });
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'payferry_batch_commands_sum{operation="fund"} 43',
        'payferry_batch_commands_bucket{le="32",operation="fund"} 2',
        'payferry_batch_wait_seconds_count{operation="fund"} 3',
        'payferry_batch_run_seconds_bucket{le="0.01",operation="fund"} 2',
        'payferry_batch_faults_total{operation="fund",fault="40P01"} 1',
        'payferry_batch_faults_total{operation="fund",fault="DatabaseUnavailable"} 1',
      ]),
    );
  });

  it('reads the watched values when it is asked for them, and reads rows once for two gauges', async () => {
    const metrics = createMetrics({ process: false });
    let reads = 0;
    metrics.watchPool(() => ({ total: 5, idle: 2, waiting: 7 }));
    metrics.watchDueRows(async () => {
      reads += 1;
      return [{ kind: 'payouts', due: 12, claimed: 3, oldestSeconds: 1.5 }];
    });
    metrics.watchAttention(async () => {
      reads += 1;
      return [{ kind: 'payins', waiting: 2, oldestSeconds: 60 }];
    });
    metrics.watchLedger(async () => [{ ledgerAccount: 'held', currency: 'XOF', minor: 1_500n }]);
    const lines = await linesOf(metrics);
    expect(lines.filter((line) => !line.includes('_total{'))).toEqual([
      'payferry_database_connections{state="busy"} 3',
      'payferry_database_connections{state="idle"} 2',
      'payferry_database_connections{state="awaited"} 7',
      'payferry_due_rows{kind="payouts",state="due"} 12',
      'payferry_due_rows{kind="payouts",state="claimed"} 3',
      'payferry_due_rows_oldest_seconds{kind="payouts"} 1.5',
      'payferry_attention{kind="payins"} 2',
      'payferry_attention_oldest_seconds{kind="payins"} 60',
      'payferry_ledger_minor_units{ledger_account="held",currency="XOF"} 1500',
    ]);
    expect(reads).toBe(2);
    expect(lines).toContain('payferry_metric_read_faults_total{metric="payferry_due_rows"} 0');
  });

  it('still answers with the other series when one cannot be read', async () => {
    const metrics = createMetrics({ process: false });
    metrics.watchLedger(async () => {
      throw new DatabaseUnavailable('away');
    });
    metrics.watchPool(() => ({ total: 0, idle: 0, waiting: 4 }));
    await metrics.text();
    const lines = await linesOf(metrics);
    expect(lines).toContain('payferry_database_connections{state="awaited"} 4');
    expect(lines).toContain('payferry_metric_read_faults_total{metric="payferry_ledger_minor_units"} 1');
    expect(lines.filter((line) => line.startsWith('payferry_ledger_minor_units'))).toEqual([]);
  });

  it('does not wait for one that somebody keeps: a scraper would give up, and have none at all', async () => {
    const metrics = createMetrics({ process: false, readWithinMs: 1 });
    metrics.watchLedger(() => new Promise(() => undefined));
    metrics.watchPool(() => ({ total: 0, idle: 0, waiting: 4 }));
    await metrics.text();
    const lines = await linesOf(metrics);
    expect(lines).toContain('payferry_database_connections{state="awaited"} 4');
    expect(lines).toContain('payferry_metric_read_faults_total{metric="payferry_ledger_minor_units"} 1');
  });

  it('lets a later slice bring its own counter, which begins at zero where that is said', async () => {
    const metrics = createMetrics({ process: false });
    const fromZero = [{ answer: 'paid' }, { answer: 'failed' }];
    const count = metrics.counter({ name: 'payferry_answers_total', help: 'Answers.', labels: ['answer'], fromZero });
    count({ answer: 'paid' });
    count({ answer: 'paid' }, 2);
    count({ answer: 'other' });
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'payferry_answers_total{answer="paid"} 3',
        'payferry_answers_total{answer="failed"} 0',
        'payferry_answers_total{answer="other"} 1',
      ]),
    );
  });

  it('shows the event-loop delay and the memory of the process when asked to', async () => {
    const text = await createMetrics({ process: true }).text();
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('keeps two instances apart', async () => {
    const one = createMetrics({ process: false });
    const other = createMetrics({ process: false });
    one.observeRequest({ method: 'GET', route: '/health/live', status: 200, seconds: 0 });
    expect(JSON.stringify(await linesOf(other))).not.toContain('/health/live');
  });
});
