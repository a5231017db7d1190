import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { settingFlags } from './flags.ts';
import { loadSettings } from './load.ts';
import { SETTINGS } from './table.ts';

function parseCommandLine(...args: string[]) {
  const command = new Command('serve').exitOverride();
  for (const flag of settingFlags()) command.addOption(new Option(flag.flags, flag.description).helpGroup(flag.group));
  command.parse(args, { from: 'user' });
  return command.opts<Record<string, string | boolean>>();
}

describe('the flags of the settings', () => {
  it('are one for each setting and one for the settings file', () => {
    expect(settingFlags()).toHaveLength(SETTINGS.length + 1);
  });

  it.each(settingFlags())('$flags has the attribute under which the parser hands it over', (flag) => {
    expect(new Option(flag.flags).attributeName()).toBe(flag.attribute);
    expect(flag.group).not.toBe('');
  });

  it('name their argument, their choices and their default', () => {
    const byAttribute = new Map(settingFlags().map((flag) => [flag.attribute, flag]));
    expect(byAttribute.get('operatorPort')).toEqual({
      flags: '--operator-port <port>',
      attribute: 'operatorPort',
      description: 'The port of the listener for operators; 0 picks a free one. (default: 3001)',
      group: 'Operator listener',
    });
    expect(byAttribute.get('mode')?.flags).toBe('--mode <sandbox|live>');
    expect(byAttribute.get('trustProxy')?.flags).toBe('--trust-proxy [true|false]');
    expect(byAttribute.get('publicUrl')?.description).not.toContain('default:');
  });

  it('go from the command line into the settings', () => {
    const flags = parseCommandLine(
      '--port',
      '0',
      '--trust-proxy',
      '--limits-enforce-soft=false',
      '--rates-margins',
      '*=0.1',
    );
    const result = loadSettings({ flags, env: {}, directory: '/nonexistent-directory' });
    if (!result.ok) throw new Error(result.mistakes.join('\n'));
    const { settings, origins } = result;
    expect([settings.port, settings.trustProxy, settings.limits.enforceSoft]).toEqual([0, true, false]);
    expect(settings.rates.margins).toEqual({ '*': '0.1' });
    expect(origins.get('host')?.from).toBe('default');
  });
});
