/**
 * Recognises Chinese names in Latin letters: every word is made of syllables of pinyin, and one is a common family
 * name. In such a name a single letter makes another syllable, so its words are compared letter by letter.
 */

const INITIALS = 'zh ch sh b p m f d t n l g k h j q x r z c s y w'.split(' ');
const FINALS =
  `iang iong uang ang eng ong ian iao ing uai uan ai ei ao ou an en er ia ie iu in ua uo ue ui un ve a o e i u
  v`.split(/\s+/);
const FAMILIES = new Set(
  `wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang han feng
  deng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lv lu ding ren yao shen zhong cui tan fan
  liao jia xia wei fu fang bai zou meng xiong qin qiu hou yin xue yan lei long tao shi he mao hao gu gong shao wan qian
  ouyang`.split(/\s+/),
);
const SYLLABLES = new RegExp(`^(?:(?:${INITIALS.join('|')})?(?:${FINALS.join('|')}))+$`);
const MAX_CHARS = 24;
/** A family name and one or two syllables, together or apart. */
const MAX_CHINESE_WORDS = 4;

export function isPinyinName(words: readonly string[]): boolean {
  if (words.length < 2 || words.length > MAX_CHINESE_WORDS) return false;
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  if (!ends.some((word) => FAMILIES.has(word))) return false;
  return words.every((word) => word.length <= MAX_CHARS && SYLLABLES.test(word));
}
