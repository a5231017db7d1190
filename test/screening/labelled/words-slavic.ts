/** Russian names in their own script, and the ways in which papers and newspapers write them in Latin letters. */

export const GIVEN = {
  male: `Александр Сергей Владимир Дмитрий Андрей Алексей Николай Иван Михаил Евгений Юрий Виктор Игорь Олег Павел Константин
    Анатолий Вячеслав Геннадий Григорий Фёдор Руслан Аркадий Тимур Егор Семён Захар Эдуард Ярослав Валентин`,
  female: `Елена Ольга Татьяна Наталья Ирина Светлана Юлия Екатерина Людмила Галина Ксения Жанна Маргарита Зинаида Евгения`,
};

export const FATHERS = `Александров Сергеев Владимиров Дмитриев Андреев Алексеев Николаев Иванов Михайлов Евгеньев Юрьев Викторов
  Игорев Олегов Павлов Константинов Геннадьев Григорьев Фёдоров Валентинов`;

const ROOTS = `Иван Петр Сидор Кузнец Волк Медвед Орл Сокол Лебед Голуб Мороз Снегир Щерб Жук Чижик Хохл Цветк Журавл Шевч
  Рыжик Богдан Гончар Климент Савель Тарас Яким Ефрем Никит Потап Лукьян Горбун Кравц Бондар Рыбак Ткач Мельник Колесник
  Скороход Черныш Белозер Глухар Дубров Зарубин Калинин Ладыг Мещер Нагорн Овсян Пастух Ремизов Стрельц Трубец Устин Филат
  Харитон Чумак Шаповал Щукин Юдин Яблок Барсук Вершин Гранат Долгор Елагин Жданк Звягин Истомин Корот Лопат Матвей Назар
  Одинц Панкрат Разин Соболь Тихон Уваров Фомин Хромат Чебыш Шишк Якубов Бурлак Ворон Гусельник Дёгт Ермак Заболот`;

const SUFFIXES = ['ов', 'енко', 'овский', 'ин', 'ук', 'еев'] as const;

export function surnames(): string[] {
  return ROOTS.trim()
    .split(/\s+/)
    .flatMap((root) => SUFFIXES.map((suffix) => root.replace(/(ов|ин|ь|й)$/, '') + suffix));
}

type Scheme = Readonly<Record<string, string>>;

const COMMON: Scheme = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

/** Ways of writing that are in use: newspapers, passports since 2013, scholars, Germans, French. */
export const SCHEMES: Readonly<Record<string, Scheme>> = {
  english: { ...COMMON, ё: 'yo' },
  passport: { ...COMMON, й: 'i', ъ: 'ie', ю: 'iu', я: 'ia' },
  scholarly: {
    ...COMMON,
    ё: 'ë',
    ж: 'ž',
    й: 'j',
    х: 'ch',
    ц: 'c',
    ч: 'č',
    ш: 'š',
    щ: 'šč',
    ь: '’',
    ю: 'ju',
    я: 'ja',
  },
  german: {
    ...COMMON,
    в: 'w',
    ё: 'jo',
    ж: 'sch',
    з: 's',
    й: 'i',
    х: 'ch',
    ц: 'z',
    ч: 'tsch',
    ш: 'sch',
    щ: 'schtsch',
    ю: 'ju',
    я: 'ja',
  },
  french: { ...COMMON, ж: 'j', у: 'ou', ч: 'tch', ш: 'ch', щ: 'chtch', ю: 'iou', я: 'ia' },
};

export function romanise(word: string, scheme: string): string {
  const table = SCHEMES[scheme] ?? COMMON;
  const small = word.toLowerCase();
  // Most English papers write the first letter of Yevgeny as it is heard.
  const start = scheme === 'english' && small.startsWith('е') ? `y${small}` : small;
  const latin = [...start]
    .map((letter) => table[letter] ?? letter)
    .join('')
    .replace(/iy$/, scheme === 'english' ? 'y' : 'iy');
  return latin.charAt(0).toUpperCase() + latin.slice(1);
}
