/** From the English names of countries, as lists write them, to ISO 3166-1 alpha-2. What is not known is left out. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Names in use on lists that differ from those in Unicode's tables. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'bosnia and herzegovina': 'BA',
  burma: 'MM',
  'congo democratic republic of the': 'CD',
  'congo republic of the': 'CG',
  'cote d ivoire': 'CI',
  'czech republic': 'CZ',
  'democratic people s republic of korea': 'KP',
  'democratic republic of the congo': 'CD',
  'gaza strip': 'PS',
  'iran islamic republic of': 'IR',
  'islamic republic of iran': 'IR',
  'ivory coast': 'CI',
  'korea democratic people s republic of': 'KP',
  'korea north': 'KP',
  'korea republic of': 'KR',
  'korea south': 'KR',
  'libyan arab jamahiriya': 'LY',
  macedonia: 'MK',
  'moldova republic of': 'MD',
  palestinian: 'PS',
  palestine: 'PS',
  'republic of moldova': 'MD',
  'russian federation': 'RU',
  'syrian arab republic': 'SY',
  'taiwan province of china': 'TW',
  'tanzania united republic of': 'TZ',
  'the gambia': 'GM',
  turkey: 'TR',
  turkiye: 'TR',
  'united kingdom of great britain and northern ireland': 'GB',
  'united republic of tanzania': 'TZ',
  'united states of america': 'US',
  usa: 'US',
  uk: 'GB',
  'venezuela bolivarian republic of': 'VE',
  'viet nam': 'VN',
  'west bank': 'PS',
};

let known: ReadonlyMap<string, string> | undefined;

/** A code, or an English name in any case. */
export function countryCode(written: string): string | undefined {
  known ??= namesOfCountries();
  const text = written.trim();
  return /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : known.get(plain(text));
}

function namesOfCountries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const name = names.of(first + second);
      // A code that is no longer used has the name of the country that followed, and becomes its code.
      const code = new Intl.Locale(`und-${first}${second}`).region;
      if (name !== undefined && code !== undefined) found.set(plain(name), code);
    }
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) found.set(name, code);
  return found;
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z]+/g, ' ')
    .trim();
}
