import { describe, expect, it } from 'vitest';
import { storedSender } from '../../../test/support/senders.ts';
import { changesIdentity } from '../senders/check.ts';
import { subjectsOf } from './subjects.ts';

describe('whom the lists are asked about', () => {
  it.each<[string, object, object[]]>([
    [
      'a person by its names, day of birth and countries',
      { first_name: 'Ada', middle_name: 'King', last_name: 'Example', nationality: 'FR', country_of_birth: 'GB' },
      [{ names: ['Ada Example', 'Ada King Example'], birthDate: '1974-12-24', countries: ['GB', 'FR'] }],
    ],
    ['what is no country is left out', { nationality: 'British' }, [{ countries: ['GB'] }]],
    ['a person without a middle name has one name', { middle_name: '' }, [{ names: ['Ada Example'] }]],
    [
      'those whom it names as exposed, each by its name',
      { politically_exposed_people: [{ name: 'One' }, { name: 'Two', position: 'Minister' }] },
      [{}, { names: ['One'], type: 'person' }, { names: ['Two'] }],
    ],
  ])('%s', (_, details, subjects) => {
    expect(subjectsOf(storedSender({ ...details }))).toMatchObject(subjects);
  });

  it('is nobody where there is no name', () => {
    expect(subjectsOf({ type: 'business', details: { country: 'GB' } })).toEqual([]);
  });

  it('changes only with the identity, so that whoever is somebody else is asked about again', () => {
    const before = storedSender({ politically_exposed_people: [{ name: 'One' }] });
    const edits: readonly object[] = [
      { first_name: 'Eve' },
      { middle_name: 'King' },
      { last_name: 'Other' },
      { name: 'Ltd' },
      { trading_name: 'Ltd' },
      { birth_date: '1980-01-01' },
      { country: 'FR' },
      { nationality: 'FR' },
      { country_of_birth: 'FR' },
      { trading_country: 'FR' },
      { politically_exposed_people: [{ name: 'Two' }] },
    ];
    for (const edit of edits) {
      const after = { ...before, details: { ...before.details, ...edit } };
      expect(subjectsOf(after), JSON.stringify(edit)).not.toEqual(subjectsOf(before));
      expect(changesIdentity(before, after), JSON.stringify(edit)).toBe(true);
    }
    const same = { ...before, details: { ...before.details, politically_exposed_people: [{ name: 'One' }] } };
    expect(changesIdentity(before, same)).toBe(false);
  });
});
