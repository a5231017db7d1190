/** Writes docs/benchmarks.md and docs/benchmarks.svg from the history of the benchmark. Run by `npm run docs`. */
import { readHistory } from '../bench/history.ts';
import { writePages } from '../bench/history-page.ts';

writePages(readHistory());
console.log('docs/benchmarks.md and docs/benchmarks.svg written');
