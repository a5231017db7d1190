/**
 * Endings of family names, each a word of its own once: Ivanov, Ivanenko and Ivanovsky are three families. Different
 * endings are no slip of the finger, however few letters they are. Those that are written for each other, as -ov and
 * -ev are, stand in no class or in the same one; the forms of women are those of men.
 */
const LEAST_STEM_CHARS = 2;

const ENDINGS: readonly (readonly [name: string, ending: RegExp])[] = [
  ['enko', /enko$/],
  ['sky', /s[ck](?:y|i|yi|ii|iy|ij|yj|aya|aia|aja)$/],
  ['eev', /(?:ee|eye|eje|eie)(?:v|w|ff?|va|wa)$/],
  ['ov', /o(?:v|w|ff?|va|wa)$/],
  ['in', /[iy]n[ea]?$/],
  ['uk', /o?uk$/],
  ['opoulos', /opou?los$/],
  ['idis', /id[ie]s$/],
  ['akis', /akis$/],
  ['atos', /atos$/],
  ['ellis', /ell?is$/],
  ['aris', /aris$/],
];

/** The class of a word in small ASCII letters, or nothing. */
export function familyEnding(text: string): string {
  for (const [name, ending] of ENDINGS) {
    const at = text.search(ending);
    if (at >= LEAST_STEM_CHARS) return name;
  }
  return '';
}
