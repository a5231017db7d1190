/**
 * PostgreSQL's settings for the tests: nobody needs what their server holds after a power failure, and each of hundreds
 * of databases would wait for the disk. They go to its command line, which wins over its files.
 */
import type { ServerSettings } from '../../server/src/storage/embedded/server-settings.ts';

export const THROW_AWAY: ServerSettings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
