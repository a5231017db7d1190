import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from './list-entry.ts';
import { listScreening } from './list-screening.ts';
import { NameIndex } from './name-index.ts';
import type { ScreenedSubject } from './sender-screening.ts';

const THRESHOLD = 0.84;

function entry(text: string, more: Partial<ListEntry> = {}): ListEntry {
  const names = [{ text, quality: 'strong' as const }];
  return { list: 'made-up', id: text, kind: 'person', names, birthDates: [], countries: [], ...more };
}

function screeningOf(entries: readonly ListEntry[]) {
  const index = new NameIndex();
  for (const each of entries) index.add(each);
  for (const _ of index.finish());
  return listScreening({ index, version: 'test', threshold: THRESHOLD });
}

const subject = (name: string, more: Partial<ScreenedSubject> = {}): ScreenedSubject => ({
  names: [name],
  type: 'person',
  birthDate: null,
  countries: [],
  ...more,
});
const business = (name: string) => subject(name, { type: 'business' });
const hitsOf = (listed: ListEntry, asked: ScreenedSubject) => screeningOf([listed]).screen(asked);

describe('a name is found', () => {
  it.each([
    ['in another order', 'Belarin Tomask Korvathin', 'KORVATHIN, Belarin Tomask'],
    ['with a slip of the finger', 'Belarin Korvathin', 'Belarin Korvatihn'],
    ['without its middle name', 'Belarin Tomask Korvathin', 'Belarin Korvathin'],
    ['with an initial', 'Belarin Tomask Korvathin', 'Belarin T. Korvathin'],
    ['with a title and in capitals', 'Belarin Korvathin', 'DR. BELARIN KORVATHIN'],
    ['without accents', 'Zdeněk Škvorecký', 'Zdenek Skvorecky'],
    ['in Cyrillic', 'Yevgeny Shcherbukhin', 'Евгений Щербухин'],
    ['as Germans write it', 'Yevgeny Shcherbukhin', 'Jewgeni Schtscherbuchin'],
    ['in Arabic', 'Yusuf al-Karmazi', 'يوسف الكرمزي'],
    ['in Greek', 'Georgios Boukarelis', 'Γεώργιος Μπουκαρέλης'],
    ['in Chinese', 'Gao Sibo', '高思波'],
    ['in another spelling', 'Mohammed Hussein Barzokh', 'Muhamad Husayn Barzukh'],
    ['with words written together', 'Abd al-Rahman Karmazi', 'Abdulrahman Karmazi'],
    ['with words written apart', 'Almarzoki Belarin', 'Belarin Al Marzoki'],
    ['with an article written together and a slip', 'Belarin Almarzoki', 'Belarin al-Marzki'],
    ['with the servant of somebody in two words', 'Abdulrahman Karmazi', 'Karmazi Abd al-Rahman'],
    ['with the servant of somebody as an initial', 'Belarin Abdul Rahman Karmazi', 'Belarin A. Karmazi'],
    ['with the initial of another spelling', 'Belarin Gamal Korvathin', 'Belarin J. Korvathin'],
    ['with an initial that is a little word elsewhere', 'Belarin Edvard Korvathin', 'Belarin E Korvathin'],
    ['with a family name that is a little word elsewhere', 'Du Gangmei', 'Mrs DU GANGMEI'],
    ['in Arabic letters that look like a title', 'Omar al-Karmazi', 'عمر الكرمزي'],
    ['of a Chinese with a slip', 'Gao Honghai', 'Gao Hongjai'],
    ['of a woman of the family', 'Yelena Korvathov', 'Yelena Korvathova'],
    ['in Arabic with a letter that is read as z', 'Ayman al-Zawahiri', 'أيمن الظواهري'],
    ['in Arabic with the same letter, read as dh', 'Belarin Dhahiri', 'بلرين ظاهري'],
    ['in Latin letters, where the list has that letter', 'أيمن الظواهري', 'Ayman al-Zawahiri'],
    ['of little words alone', 'Le Van An', 'Le Van An'],
    ['of little words alone, with accents', 'Lê Văn An', 'An Le Van'],
    ['of little words alone, behind a title', 'LE, Van Du', 'Mr Le Van Du'],
    ['of a little word and another', 'Ben Le', 'Ben Le'],
    ['of a word and an initial, where the list has no more', 'U Nu', 'U Nu'],
    ['of an initial behind a word, where the list has no more', 'Belarin K.', 'K. Belarin'],
    ['without the middle name, which makes a title a first name', 'Sayed Mohammad Ahmadi', 'Sayed Ahmadi'],
    ['with a middle name, which makes a first name a title', 'Hafiz Korvathi', 'Hafiz Muhammad Korvathi'],
    ['with the whole name in both fields', 'Belarin Korvathin', 'Belarin Korvathin Belarin Korvathin'],
    ['with the only name in both fields', 'Korvathin', 'Korvathin Korvathin'],
    ['of a Chinese with the same syllable twice', 'Liu Yangyang', 'Liu Yang Yang'],
    ['with Cyrillic letters that look like Latin ones', 'Hector Ramos', 'Несtоr Rаmоs'],
    ['with Latin letters that look like Cyrillic ones', 'Belarin Petrov', 'Бeларин Пeтpов'],
  ])('%s', (_how, listed, asked) => {
    expect(hitsOf(entry(listed), subject(asked)).map(({ entryId }) => entryId)).toEqual([listed]);
  });

  it.each([
    ['soft hyphens', '\u00ad'],
    ['spaces without width', '\u200b'],
    ['joiners', '\u200d'],
    ['marks of direction', '\u200f'],
    ['byte order marks', '\ufeff'],
  ])('with %s that nobody sees within its words', (_what, unseen) => {
    const written = `B${unseen}e${unseen}larin K${unseen}o${unseen}rvathin`;
    expect(hitsOf(entry('Belarin Korvathin'), subject(written))).toMatchObject([{ score: 1 }]);
  });

  it.each([
    ['with another legal form', 'Zelmarine Holding, S.A.', 'Zelmarine Holding Ltd'],
    ['with a dotted form', 'Zelmarine Trading LLC', 'Zelmarine Trading L.L.C.'],
    ['with a slip', 'Zelmarine Korvath Bank', 'Zelmarnie Korvath Bank'],
    ['with a slip in its legal form', 'Zelmarine Korvath LLC', 'Zelmarine Korvath Limiyed'],
    ['with its name twice', 'Zelmarine', 'Zelmarine Zelmarine'],
    ['with a legal form in letters apart', 'Zelmarine Holding, S.A.', 'Zelmarine Holding S. A.'],
    ['with a legal form on two sides of a slash', 'Zelmarine Holding', 'Zelmarine Holding S/A'],
    ['with a legal form in three letters', 'Zelmarine Holding', 'Zelmarine Holding L L C'],
    ['with a letter of its own before its form', 'Zelmarine Plan B', 'Zelmarine Plan B S. A.'],
    ['in letters apart', 'A.K.B. Bank', 'A K B Bank'],
    ['in letters apart that the list has so', 'A. K. B. Bank', 'AKB Bank'],
  ])('of a business %s', (_how, listed, asked) => {
    expect(hitsOf(entry(listed, { kind: 'entity' }), business(asked))).toHaveLength(1);
  });
});

describe('a name is not found', () => {
  it.each([
    ['when only the family name is the same', 'Belarin Korvathin', 'Dorotea Korvathin'],
    ['when only the given name is the same', 'Belarin Korvathin', 'Belarin Osmunder'],
    ['when the middle names contradict each other', 'Belarin Tomask Korvathin', 'Belarin Wulfgang Korvathin'],
    ['when it is the family name and an initial', 'Belarin Korvathin', 'B. Korvathin'],
    ['when a short name differs by a letter', 'Ali Ros', 'Adi Ras'],
    ['when the families have other endings', 'Belarin Korvathov', 'Belarin Korvathuk'],
    ['when a short family name begins otherwise', 'Belarin Basri', 'Belarin Masri'],
    ['when they are servants of others', 'Abdul Rahman Karmazi', 'Abdul Majid Karmazi'],
    ['when a little word is all that is like a name', 'Belarin Aly Karmazi', 'Belarin Tomask al-Karmaz'],
    ['when a title is all that they share beside a family', 'Sayed Belarin Ahmadi', 'Sayed Tomask Ahmadi'],
    ['when the title of the one is only like a name of the other', 'Sayed Mohammad Ahmadi', 'Sayeda Ahmadi'],
    ['when it is an initial and a family, where the list has both names', 'Nu Utarin', 'U Nu'],
    ['when it is empty', 'Belarin Korvathin', ' . '],
  ])('%s', (_how, listed, asked) => {
    expect(hitsOf(entry(listed), subject(asked))).toEqual([]);
  });

  it('when a letter that is all of a business stands before its legal form', () => {
    expect(hitsOf(entry('Zelmarine A S.A.', { kind: 'entity' }), business('Zelmarine B S.A.'))).toEqual([]);
  });

  it('when two businesses share all but the telling word', () => {
    expect(hitsOf(entry('Zelmarine Trading LLC', { kind: 'entity' }), business('Ossifrage Trading LLC'))).toEqual([]);
  });
});

describe('beside the name', () => {
  const born = { fromYear: 1964, toYear: 1964, month: 3, day: 18 };
  const listed = entry('Belarin Tomask Korvathin', { birthDates: [born], countries: ['SY'] });
  const score = (more: Partial<ScreenedSubject>, name = 'Belarin Tomask Korvahtin') =>
    hitsOf(listed, subject(name, more))[0]?.score ?? 0;

  it('the same birth date and country raise the score, others lower it', () => {
    const alone = score({});
    expect(score({ birthDate: '1964-03-18' })).toBeGreaterThan(alone);
    expect(score({ countries: ['SY'] })).toBeGreaterThan(alone);
    expect(score({ birthDate: '1991-07-02' })).toBeLessThan(alone);
    expect(score({ countries: ['FR'] })).toBeLessThan(alone);
  });

  it('the same birth date makes up for a family name that is only a little alike', () => {
    const person = entry('Belarin Korvathin', { birthDates: [born] });
    expect(hitsOf(person, subject('Belarin Karvudhan'))).toEqual([]);
    expect(hitsOf(person, subject('Belarin Karvudhan', { birthDate: '1964-03-18' }))).toHaveLength(1);
  });

  it('another birthday in the same year speaks against, unless it is the first of January', () => {
    const unknown = { fromYear: 1964, toYear: 1964, month: 1, day: 1 };
    const scoreOf = (date: typeof born) =>
      hitsOf(
        entry('Belarin Korvathin', { birthDates: [date] }),
        subject('Belarin Korvathin', { birthDate: '1964-07-02' }),
      )[0]?.score;
    expect([scoreOf(born), scoreOf(unknown)]).toEqual([0.92, 1]);
  });

  it('a namesake of another age and country is nobody on the list', () => {
    const namesake = { birthDate: '1991-07-02', countries: ['FR'] };
    expect(hitsOf(listed, subject('Belarin Tomask Korvathin', namesake))).toEqual([]);
    expect(hitsOf(listed, subject('Belarin Tomask Korvathin', { birthDate: '1991-07-02' }))).toHaveLength(1);
  });

  it('the hit says which words matched how', () => {
    const [hit] = hitsOf(listed, subject('Belarin Korvatin', { birthDate: '1964-03-18', countries: ['FR'] }));
    expect(hit).toMatchObject({
      list: 'made-up',
      name: 'Belarin Tomask Korvathin',
      matchedName: 'Belarin Tomask Korvathin',
    });
    expect(hit?.explanation).toEqual([
      'belarin is the same',
      'korvatin is another spelling of korvathin',
      'tomask is only in the listed name',
      'the birth date is the same',
      'no country is the same',
    ]);
  });

  it('what goes beyond a full score still counts: the namesake with the same birth date comes first', () => {
    const namesakes = Array.from({ length: 60 }, (_, at) => entry('Belarin Korvathin', { id: `a-${at}` }));
    const same = entry('Belarin Korvathin', { id: 'z-1', birthDates: [born] });
    const hits = screeningOf([...namesakes, same]).screen(subject('Belarin Korvathin', { birthDate: '1964-03-18' }));
    expect(hits).toHaveLength(50);
    expect(hits.slice(0, 2)).toMatchObject([{ entryId: 'z-1', score: 1, strength: 1.16 }, { score: 1 }]);
    expect(hits[1]).not.toHaveProperty('strength');
  });

  it('an alias that the list calls weak counts less', () => {
    const names = [
      { text: 'Belarin Korvathin', quality: 'strong' as const },
      { text: 'Osmund Wulf', quality: 'weak' as const },
    ];
    const [hit] = hitsOf(entry('x', { names }), subject('Osmund Wulf'));
    expect(hit).toMatchObject({ name: 'Belarin Korvathin', matchedName: 'Osmund Wulf', score: 0.95 });
  });
});

describe('any name', () => {
  it('is compared without a fault, with scores from the threshold to 1', () => {
    const screening = screeningOf([entry('Belarin Tomask Korvathin'), entry('高思波'), entry('يوسف الكرمزي')]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        for (const { score } of screening.screen(subject(name))) {
          expect(score).toBeGreaterThanOrEqual(THRESHOLD);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('of Latin letters is found as it is written, in any order of its words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abdeiklmnorstu'), minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 4 }), (words) => {
        const hits = hitsOf(entry(words.join(' ')), subject(words.toReversed().join(' ')));
        expect(hits.map(({ score }) => score)).toEqual([1]);
      }),
    );
  });
});
