import { describe, expect, it } from 'vitest';
import { readPhone } from './phone.ts';

describe('a phone number', () => {
  it.each([
    ['+256772123400', ['UG'], '+256772123400'],
    ['+256 772 123 400', ['UG'], '+256772123400'],
    ['0772 123400', ['UG'], '+256772123400'],
    ['772123400', ['UG'], '+256772123400'],
    ['+233302123400', ['GH'], '+233302123400'],
    ['+2250712345600', ['SN', 'CI'], '+2250712345600'],
    ['+212650123400', ['MA'], '+212650123400'],
  ])('%s is valid in %o, fixed lines included', (text, countries, e164) => {
    expect(readPhone(text, countries)?.e164).toBe(e164);
  });

  it.each([
    ['it is of another country', '+256772123400', ['KE']],
    ['it is national and several countries are meant', '0712345600', ['SN', 'CI']],
    ['it is too short', '+25677212340', ['UG']],
    ['it is too long', '+2567721234000', ['UG']],
    ['it begins with digits that are not given out', '+256112123400', ['UG']],
    ['it stands within other words', 'call +256772123400', ['UG']],
    ['it has an extension', '+256772123400 ext. 5', ['UG']],
    ['it has letters', '+256772ABCDEF', ['UG']],
    ['it is very long', `+256772123400${' '.repeat(100)}`, ['UG']],
    ['no country is meant', '+256772123400', []],
  ])('is refused when %s', (_what, text, countries) => {
    expect(readPhone(text, countries)).toBeUndefined();
  });

  it('tells its country', () => {
    expect(readPhone('+2250712345600', ['SN', 'CI'])?.country).toBe('CI');
  });
});
