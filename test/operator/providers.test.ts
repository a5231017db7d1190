/** `provider list|pause|resume`: an operator's word holds in every process, and no order is lost by it. */
import { afterAll, describe, expect, it } from 'vitest';
import { followSwitches } from '../../server/src/compose/open-payouts.ts';
import { HealthBoard } from '../../server/src/providers/health-board.ts';
import { SwitchFollower } from '../../server/src/providers/switches.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { startPayoutService } from './payout-service.ts';
import { at, auditEntries } from './support.ts';

const provider = new ScriptedProvider();
const service = await startPayoutService({ providers: [provider], flags: { providersPauseAfter: '1' } });
const { app, db, call, payTo, shown } = service;
const { health } = app.engine;
afterAll(await followSwitches(app.ctx, health));

const say = (what: 'pause' | 'resume', name = 'scripted', commandId?: string) =>
  call('POST', `/operator/providers/${name}/${what}`, undefined, commandId === undefined ? {} : { commandId });
const stateOf = (board: HealthBoard) => board.of('scripted').state;

describe('a provider', () => {
  it('is listed as open before anybody has said anything', async () => {
    expect(await call('GET', '/operator/providers')).toMatchObject({
      status: 200,
      body: { providers: [{ name: 'scripted', held: false, changed_by: null, state: 'open', since: null }] },
    });
  });

  it('that is paused gets no orders; resumed it gets those that waited', async () => {
    expect(await say('pause')).toMatchObject({
      status: 200,
      body: { provider: { name: 'scripted', held: true, changed_by: 'ada' } },
    });
    await expect.poll(() => stateOf(health)).toBe('held');
    const { recipient } = await payTo('Anybody');
    expect(provider.referencesOf(recipient.id)).toEqual([]);
    expect((await shown(recipient)).recipient).toMatchObject({ state: 'initial', attempts: 0 });
    expect(at((await call('GET', '/operator/providers')).body, 'providers', 0)).toMatchObject({
      held: true,
      state: 'held',
    });
    expect(String((await call('GET', '/metrics')).body)).toContain(
      'payferry_provider_state{provider="scripted",state="held"} 1',
    );
    app.clock.advance(1_000);
    expect((await say('resume')).body).toMatchObject({ provider: { held: false } });
    await expect.poll(() => stateOf(health)).toBe('open');
    await app.engine.travel(10_000);
    expect((await shown(recipient)).recipient.state).toBe('success');
    expect(await auditEntries(service, '&subject=scripted')).toMatchObject([
      { action: 'provider.resume', operator: 'ada', before: { held: true }, after: { held: false } },
      { action: 'provider.pause', operator: 'ada', before: null, after: { held: true } },
    ]);
  });

  it('is held in another process too, also in one that starts later', async () => {
    const parts = { names: ['scripted'], clock: app.clock, rules: app.ctx.settings.providers };
    const running = new HealthBoard(parts);
    const follower = new SwitchFollower(running);
    await follower.follow(db);
    expect(stateOf(running)).toBe('open');
    await say('pause');
    await follower.follow(db);
    expect(running.of('scripted')).toMatchObject({ state: 'held', by: 'ada' });
    const startedLater = new HealthBoard(parts);
    await new SwitchFollower(startedLater).follow(db);
    expect(stateOf(startedLater)).toBe('held');
    await say('resume');
    await follower.follow(db);
    expect(stateOf(running)).toBe('open');
  });

  it('that was paused because it failed is opened by an operator once, and may fail again', async () => {
    const board = new HealthBoard({ names: ['scripted'], clock: app.clock, rules: app.ctx.settings.providers });
    const follower = new SwitchFollower(board);
    await follower.follow(db);
    const down = { sign: 'down', reference: 'r' } as const;
    board.tellAnswer('scripted', down);
    await follower.follow(db);
    expect(stateOf(board)).toBe('paused');
    app.clock.set(new Date(app.clock.now().getTime() + 1));
    await say('resume');
    await follower.follow(db);
    expect(stateOf(board)).toBe('open');
    board.tellAnswer('scripted', down);
    await follower.follow(db);
    expect(stateOf(board)).toBe('paused');
  });

  it('is paused once under one command id, and a second operator is told who did it', async () => {
    const commandId = app.ctx.ids.next();
    const first = await say('pause', 'scripted', commandId);
    expect((await say('pause', 'scripted', commandId)).body).toEqual(first.body);
    expect(await say('pause')).toMatchObject({
      status: 422,
      body: { error: 'already_paused', details: ['ada has paused it'] },
    });
    await say('resume');
  });

  it('that is not set up is 404', async () => {
    expect(await say('pause', 'nobody')).toMatchObject({
      status: 404,
      body: { error: 'provider_not_found', details: ['no provider is named nobody; there are: scripted'] },
    });
  });
});
