/**
 * Recognises Chinese names in Latin letters: every word is made of syllables of pinyin, and one is a common family
 * name. In such a name a single letter makes another syllable, so its words are compared letter by letter.
 */

/** Initials with the finals that go with them. A slip of the finger seldom makes another one of the four hundred. */
const SYLLABLES_BY_INITIAL: readonly (readonly [initials: string, finals: string])[] = [
  ['b|p', 'a|o|ai|ei|ao|an|en|ang|eng|i|ie|iao|ian|in|ing|u'],
  ['m', 'a|o|e|ai|ei|ao|ou|an|en|ang|eng|i|ie|iao|iu|ian|in|ing|u'],
  ['f', 'a|o|ei|ou|an|en|ang|eng|u'],
  ['d|t', 'a|e|ai|ei|ao|ou|an|ang|eng|ong|i|ie|iao|iu|ian|ing|u|uo|ui|uan|un'],
  ['n|l', 'a|e|ai|ei|ao|ou|an|en|ang|eng|ong|i|ia|ie|iao|iu|ian|in|iang|ing|u|uo|uan|un|v|ve|ue'],
  ['g|k|h', 'a|e|ai|ei|ao|ou|an|en|ang|eng|ong|u|ua|uo|uai|ui|uan|un|uang'],
  ['j|q|x', 'i|ia|ie|iao|iu|ian|in|iang|ing|iong|u|ue|uan|un'],
  ['zh|ch', 'a|e|i|ai|ao|ou|an|en|ang|eng|ong|u|ua|uo|uai|ui|uan|un|uang'],
  ['sh', 'a|e|i|ai|ei|ao|ou|an|en|ang|eng|u|ua|uo|uai|ui|uan|un|uang'],
  ['r', 'e|i|ao|ou|an|en|ang|eng|ong|u|ua|uo|ui|uan|un'],
  ['z|c|s', 'a|e|i|ai|ao|ou|an|en|ang|eng|ong|u|uo|ui|uan|un'],
  ['y', 'a|e|ao|ou|an|ang|i|in|ing|ong|u|ue|uan|un'],
  ['w', 'a|o|ai|ei|an|en|ang|eng|u'],
  ['', 'a|o|e|ai|ei|ao|ou|an|en|ang|er'],
];
const FAMILIES = new Set(
  `wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie song tang han feng
  deng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lv lu ding ren yao shen zhong cui tan fan
  liao jia xia wei fu fang bai zou meng xiong qin qiu hou yin xue yan lei long tao shi he mao hao gu gong shao wan qian
  ouyang`.split(/\s+/),
);
const SYLLABLES = new RegExp(
  `^(?:${SYLLABLES_BY_INITIAL.map(([initials, finals]) => `(?:${initials})(?:${finals})`).join('|')})+$`,
);
const MAX_CHARS = 24;
/** A family name and one or two syllables, together or apart. */
const MAX_CHINESE_WORDS = 4;

export function isPinyinName(words: readonly string[]): boolean {
  if (words.length < 2 || words.length > MAX_CHINESE_WORDS) return false;
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  if (!ends.some((word) => FAMILIES.has(word))) return false;
  return words.every((word) => word.length <= MAX_CHARS && SYLLABLES.test(word));
}
