/** HTML from templates, where every value is escaped unless it is HTML itself. */

export interface Html {
  readonly html: string;
}

type Value = string | number | Html | undefined | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: texts.reduce((sum, text, index) => `${sum}${rendered(values[index - 1])}${text}`) };
}

/** For text that is known to be HTML already, or a style sheet. */
export function raw(text: string): Html {
  return { html: text };
}

function rendered(value: Value): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}
