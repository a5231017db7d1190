/** Settings of the comparison of senders with sanctions lists. One row each, in document order. */
import type { Setting } from './setting.ts';

export const SCREENING_ROWS = [
  {
    key: 'screening.lists',
    kind: 'list',
    pattern: /^(?:ofac-csv|ofac-xml|un-xml|eu-csv|opensanctions-csv):[^\0]+$/,
    expects:
      'files with their format, such as "un-xml:/lists/un.xml"; formats: ofac-csv, ofac-xml, un-xml, eu-csv, opensanctions-csv',
    default: [],
    openPoint: 'OP-187',
    description:
      'Sanctions lists with which senders are compared (docs/screening.md). Of `ofac-csv` the file SDN.CSV is named; ALT.CSV and ADD.CSV lie beside it. When empty, nobody is compared.',
  },
  {
    key: 'screening.threshold',
    kind: 'string',
    pattern: /^0\.[5-9][0-9]{0,2}$/,
    expects: 'a number from "0.5" to below "1", such as "0.84"',
    default: '0.84',
    openPoint: 'OP-188',
    description:
      'The score from which an entry of a list counts as a hit. Lower finds more, and more that is not meant.',
  },
  {
    key: 'screening.reload_interval',
    kind: 'duration',
    min: '1s',
    max: '24h',
    default: '1m',
    openPoint: 'OP-190',
    description: 'How often this process looks whether a list file changed. Changed ones are read without a restart.',
  },
] as const satisfies readonly Setting[];
