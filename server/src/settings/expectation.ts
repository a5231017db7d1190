/** The form of a setting's value in words: what a complaint asks for and what docs/settings.md states. */
import { unreachable } from '../kernel/assert.ts';
import { MAX_PORT } from './parse.ts';
import type { Setting } from './setting.ts';

export function expectation(setting: Setting): string {
  switch (setting.kind) {
    case 'string':
    case 'map':
      return setting.expects;
    case 'list':
      return `a list, each entry ${setting.expects}`;
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`;
    case 'port':
      return `a port number from 0 to ${MAX_PORT}`;
    case 'boolean':
      return 'true or false';
    case 'duration':
      return `a duration from ${setting.min} to ${setting.max} (units ms, s, m, h, d)`;
    case 'choice':
      return `one of ${setting.choices.join(', ')}`;
    case 'path':
      return 'a path';
    case 'key':
      return '32 bytes as 64 hex digits or as base64';
    case 'url': {
      const starts = setting.schemes.map((scheme) => `${scheme}://`).join(' or ');
      return `an address that begins with ${starts}${setting.base ? ', without credentials, query or fragment' : ''}`;
    }
    default:
      return unreachable(setting);
  }
}
