/** Writes docs/settings.md from the settings table. Run by `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { settingsDocument } from '../server/src/settings/document.ts';

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsDocument());
console.log('docs/settings.md written');
