import { expect, it } from 'vitest';
import { programName } from './program-name.ts';

it.each([
  ['/usr/local/bin/payferry', '/home/me', 'payferry'],
  ['/home/me/app/node_modules/.bin/payferry', '/home/me/app', 'payferry'],
  ['/home/me/payferry/bin/payferry.js', '/home/me/payferry', 'node bin/payferry.js'],
  ['/home/me/payferry/scripts/start.js', '/home/me/payferry', 'node bin/payferry.js'],
  ['/home/me/payferry/scripts/start.js', '/home/me', 'node payferry/bin/payferry.js'],
  ['/home/me/payferry/bin/payferry.js', '/home/you', 'node /home/me/payferry/bin/payferry.js'],
  ['/home/me/pay ferry/bin/payferry.js', '/home/me', "node 'pay ferry/bin/payferry.js'"],
])('%s, started in %s, is called by %s', (script, directory, name) => {
  expect(programName(script, directory)).toBe(name);
});
