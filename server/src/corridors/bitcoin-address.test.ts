import { describe, expect, it } from 'vitest';
import { isBitcoinAddress, isBitcoinAddressOfAnyNetwork } from './bitcoin-address.ts';

describe('a bitcoin address', () => {
  it.each([
    ['paid to a key', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['paid to a key, leading zeros', '1111111111111111111114oLvT2'],
    ['paid to a script', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['segwit, 20 bytes', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['segwit in capitals', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['segwit, 32 bytes', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['taproot', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ])('%s is taken', (_what, address) => {
    expect(isBitcoinAddress(address)).toBe(true);
  });

  it.each([
    ['one letter is wrong', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['one letter is missing', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN'],
    ['it has a letter that base58 leaves out', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a'],
    ['it is too large a number', `3${'z'.repeat(34)}`],
    ['it is of the test network', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['it is segwit of the test network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['its check sum is wrong', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['capitals and small letters are mixed', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['version 0 has the check sum of later versions', 'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well'],
    ['version 1 has the check sum of version 0', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    ['it is too short', 'bc1gmk9yu'],
    ['it is empty', ''],
  ])('is refused when %s', (_what, address) => {
    expect(isBitcoinAddress(address)).toBe(false);
  });

  it.each([
    ['paid to a key', 'n4VQ5YdHf7hLQ2gWQYYrcxoE5B7nWuDFNF'],
    ['paid to a script', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
    ['segwit', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
  ])('of the test network, %s, is one of any network and none of the main one', (_what, address) => {
    expect([isBitcoinAddressOfAnyNetwork(address), isBitcoinAddress(address)]).toEqual([true, false]);
  });

  it.each([
    ['of the main network', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
    ['of the test network with a wrong letter', 'n4VQ5YdHf7hLQ2gWQYYrcxoE5B7nWuDFNG', false],
    ['with the check sum of the other network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
  ])('%s is judged by its own network', (_what, address, taken) => {
    expect(isBitcoinAddressOfAnyNetwork(address)).toBe(taken);
  });
});
