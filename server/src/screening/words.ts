/**
 * Words that say little or nothing about who somebody is. Each set is data; a word is written as it is after
 * transliteration: small ASCII letters.
 */

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Forms of address, ranks and honours. Left out of persons' names while two other words remain. */
export const TITLES = words(`
  mr mrs ms miss mister dr doctor prof professor sir lord lady dame eng engineer ing ustad ustaz sheikh shaykh shaikh sheik
  cheikh haji hajji hajj haj alhaji alhaj hadji mullah mulla maulana mawlawi maulavi molavi mawlana qari hafiz sayyid
  sayed ayatollah hojatoleslam imam general gen colonel col major maj captain capt lieutenant lt brigadier commander
  admiral marshal sergeant sgt senor senora don dona monsieur madame mme herr frau chief hon honorable honourable
  minister president jr sr junior senior phd md esq
`);

/** Little words inside names. They are compared but weigh next to nothing. */
export const PARTICLES = words(`
  al el ul ad ar as ash at az an ibn bin ben bint binti bent ould wuld walad de del della di da do dos das du la le les los
  las van von der den ter ten zu zum zur af av y e i und and of the oglu ogly qizi kyzy o mac st
`);

/** Legal forms. Left out of businesses' names while a word remains. */
export const COMPANY_FORMS = words(`
  the ltd limited llc llp lp inc incorporated corp corporation co company plc gmbh mbh ag kg kgaa ohg ug sa sas sasu sarl sprl
  bvba bv nv ab as asa oy oyj aps spa srl sl sro zrt kft doo dd ad ead eood ood jsc ojsc pjsc cjsc pao oao zao ooo ao tov
  pat prat fop fze fzc fzco fzllc wll spc bsc pjs sdn bhd pte pty pvt private pt tbk cv kk lda ltda eirl sab cie est
  establishment sendirian berhad anonim sirketi sti san tic aktsionernoe obshchestvo ent og kd ik tmi
`);

/** Of these, the ones that are long enough to be known with a slip of the finger. */
export const LONG_COMPANY_FORMS = ['limited', 'incorporated', 'corporation', 'company'] as const;

/** What half of all businesses call themselves. They count, but little. */
export const COMMON_BUSINESS_WORDS = words(`
  trading trade general international global group holding holdings import export imports exports industries industry
  industrial services service commercial commerce enterprise enterprises investment investments development bank finance
  financial shipping transport logistics oil gas petroleum energy engineering construction contracting technology
  technologies electronics systems solutions consulting management foundation charity organization organisation
  association center centre institute factory works company companies and of for
  torgovyi torgovyy kompaniya gruppa zavod bank comercial comercializadora internacional servicios inversiones
  importadora exportadora transportes
`);
