import { describe, expect, it } from 'vitest';
import { Closing } from './closing.ts';

function recorded(names: readonly string[], failing: readonly string[] = []) {
  const closing = new Closing();
  const closed: string[] = [];
  for (const name of names) {
    closing.add(name, async () => {
      await Promise.resolve();
      closed.push(name);
      if (failing.includes(name)) throw new Error(`${name} is stuck`);
    });
  }
  return { closing, closed };
}

describe('closing', () => {
  it('closes what was opened last first, one after the other', async () => {
    const { closing, closed } = recorded(['database', 'operations', 'listener']);
    await closing.run();
    expect(closed).toEqual(['listener', 'operations', 'database']);
  });

  it('has nothing to do when nothing was opened', async () => {
    await expect(new Closing().run()).resolves.toBeUndefined();
  });

  it('closes everything once, however often it is asked', async () => {
    const { closing, closed } = recorded(['database', 'listener']);
    await Promise.all([closing.run(), closing.run()]);
    await closing.run();
    expect(closed).toEqual(['listener', 'database']);
  });

  it('goes on after a failure and tells all of them, with their reasons', async () => {
    const { closing, closed } = recorded(['database', 'rates', 'operations', 'listener'], ['listener', 'rates']);
    const fault = await closing.run().catch((thrown: unknown) => thrown);
    expect(closed).toEqual(['listener', 'operations', 'rates', 'database']);
    expect(fault).toMatchObject({
      message: 'could not close: listener; could not close: rates',
      errors: [{ cause: { message: 'listener is stuck' } }, { cause: { message: 'rates is stuck' } }],
    });
  });

  it('takes a step that throws at once like one that fails later', async () => {
    const { closing, closed } = recorded(['database']);
    closing.add('listener', () => {
      throw new Error('never opened');
    });
    await expect(closing.run()).rejects.toThrow('could not close: listener');
    expect(closed).toEqual(['database']);
  });
});
