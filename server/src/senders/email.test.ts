import { describe, expect, it } from 'vitest';
import { isEmail } from './email.ts';

describe('an e-mail address', () => {
  it.each([
    'ada@example.com',
    'ada.lovelace+tag@mail.example.co.uk',
    "o'neil@example.com",
    'ada@xn--mnchen-3ya.example',
    'ada@münchen.example',
    'ädä@example.com',
    'test@उदाहरण.परीक्षा',
    'ada@ตัวอย่าง.ไทย',
    'ada@cafe\u0301.example',
    'ada@نامه\u200cای.example',
    'ada@paral·lel.example',
    'ada@a・b.example',
    `${'a'.repeat(64)}@example.com`,
  ])('is %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@@example.com',
    'ada@exam@ple.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada lovelace@example.com',
    'ada@exam ple.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    'ada@.com',
    'ada@\u0301example.com',
    'ada@\u200cexample.com',
    'ada@exam\u200bple.com',
    'ada@exam_ple.com',
    'Ada <ada@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('is not %s', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});
