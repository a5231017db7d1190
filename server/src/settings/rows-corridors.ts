/** Settings of the corridors: which files are read, and between which amounts they pay. One row each. */
import type { Setting } from './setting.ts';

const TYPE_NAME = /^[A-Z]{3,10}(::[A-Za-z]{1,20})?$/;
const AMOUNT = /^[0-9]{1,15}(\.[0-9]{1,8})?$/;
const AMOUNTS_EXPECTED = 'payout types such as "NGN::Bank", each with an amount such as "1000" or "0.5"';

export const CORRIDOR_ROWS = [
  {
    key: 'corridors.directory',
    kind: 'path',
    default: null,
    description:
      'A directory with corridor files of your own, in folders payout, payin and shared. They add types and replace files of the same name (docs/add-a-corridor.md).',
  },
  {
    key: 'corridors.variants',
    kind: 'map',
    namePattern: /^(payout|payin)\/[a-z0-9]+(-[a-z0-9]+)*$/,
    valuePattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    expects: 'files such as "payout/ngn-bank", each with a variant such as "published"',
    default: {},
    openPoint: 'OP-16',
    description:
      'Files to use in place of the usual ones. Where the specification lists the fields of a type, its list is the usual one and the published fields are the variant `published`.',
  },
  {
    key: 'corridors.operators_of_fives',
    kind: 'list',
    pattern: /^[A-Z]{2}\/[a-z0-9_]{1,40}$/,
    expects: 'pairs of a country and a mobile operator such as "CM/orange"',
    default: [],
    openPoint: 'OP-78',
    description:
      'Mobile operators in CFA francs that pay only multiples of five, beside those that the files name: what they pay out is rounded up to the next.',
  },
  {
    key: 'corridors.minimum_amounts',
    kind: 'map',
    namePattern: TYPE_NAME,
    valuePattern: AMOUNT,
    expects: AMOUNTS_EXPECTED,
    default: {},
    openPoint: 'OP-127',
    description:
      'The least amount that a recipient may receive, by payout type, in the currency of the type. A payout of less is refused with `below_minimum`.',
  },
  {
    key: 'corridors.maximum_amounts',
    kind: 'map',
    namePattern: TYPE_NAME,
    valuePattern: AMOUNT,
    expects: AMOUNTS_EXPECTED,
    default: {},
    openPoint: 'OP-127',
    description:
      'The largest amount that a recipient may receive, by payout type, in the currency of the type. A payout of more is refused with `above_maximum`.',
  },
] as const satisfies readonly Setting[];
