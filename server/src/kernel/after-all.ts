/** What stands behind everything that there can be: where a list begins that nobody has begun to read. */
export const LAST_TIME = new Date('9999-12-31T23:59:59.999Z');
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
