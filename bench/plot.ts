/** A plot of ratios over the runs as SVG, made by hand: one line for each name, a dot for each run, names beside it. */

export interface Series {
  readonly name: string;
  /** One for each run, in their order; undefined where it was not measured. */
  readonly values: readonly (number | undefined)[];
}

const WIDTH = 840;
const HEIGHT = 360;
const EDGE = { left: 48, right: 250, top: 36, bottom: 40 } as const;
const COLOURS = ['#1f6fb2', '#c4511b', '#2c8a4b', '#8a3fa0', '#9a7b0a', '#3d4b57'] as const;
const LABEL_GAP_PX = 16;
const GRID_LINES = 5;

export function plotOf(title: string, dates: readonly string[], series: readonly Series[]): string {
  const top = topOf(series.flatMap(({ values }) => values.filter((value) => value !== undefined)));
  const place = placeIn(dates.length, top);
  const drawn = series.filter(({ values }) => values.some((value) => value !== undefined));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${safe(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(EDGE.left, 20, title, '#222222'),
    ...gridOf(top, place.y),
    ...datesOf(dates, place.x),
    ...drawn.flatMap((one, index) => lineOf(one, COLOURS[index % COLOURS.length] ?? '#000000', place)),
    ...labelsOf(drawn, place.y),
    '</svg>',
    '',
  ].join('\n');
}

interface Place {
  readonly x: (run: number) => number;
  readonly y: (value: number) => number;
}

function placeIn(runs: number, top: number): Place {
  const [width, height] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
  return {
    x: (run) => round(EDGE.left + (runs < 2 ? width / 2 : (run * width) / (runs - 1))),
    y: (value) => round(EDGE.top + height - (value / top) * height),
  };
}

/** The next half above everything. */
function topOf(values: readonly number[]): number {
  return Math.max(0.5, Math.ceil(Math.max(0, ...values) * 2) / 2);
}

function gridOf(top: number, y: Place['y']): string[] {
  return Array.from({ length: GRID_LINES + 1 }, (_, line) => {
    const value = (top * line) / GRID_LINES;
    const [from, to] = [EDGE.left, WIDTH - EDGE.right];
    return `<path d="M${from} ${y(value)}H${to}" stroke="#dddddd"/>${text(8, y(value) + 4, value.toFixed(1), '#666666')}`;
  });
}

function datesOf(dates: readonly string[], x: Place['x']): string[] {
  const shown = dates.length < 2 ? [0] : [0, dates.length - 1];
  return shown.flatMap((run) => {
    const date = dates[run];
    return date === undefined ? [] : [text(x(run) - 30, HEIGHT - 14, date.slice(0, 10), '#666666')];
  });
}

function lineOf({ values }: Series, colour: string, { x, y }: Place): string[] {
  const points = values.flatMap((value, run) => (value === undefined ? [] : [{ x: x(run), y: y(value) }]));
  const path = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`).join('');
  return [
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...points.map((point) => `<circle cx="${point.x}" cy="${point.y}" r="3" fill="${colour}"/>`),
  ];
}

/** Beside the last value of each, moved apart where they would lie on each other. */
function labelsOf(series: readonly Series[], y: Place['y']): string[] {
  const labels = series
    .map(({ name, values }, index) => {
      const last = values.findLast((value) => value !== undefined) ?? 0;
      return { at: y(last) + 4, words: `${name} ${last.toFixed(2)}`, colour: COLOURS[index % COLOURS.length] ?? '' };
    })
    .sort((one, other) => one.at - other.at);
  let before = Number.NEGATIVE_INFINITY;
  return labels.map(({ at, words, colour }) => {
    before = Math.max(at, before + LABEL_GAP_PX);
    return text(WIDTH - EDGE.right + 10, before, words, colour);
  });
}

function text(x: number, y: number, words: string, colour: string): string {
  return `<text x="${x}" y="${round(y)}" fill="${colour}">${safe(words)}</text>`;
}

function safe(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
