/** Each answer carries the id of its request, and each log line about it has the same. Open point OP-93. */
export const REQUEST_ID_HEADER = 'x-request-id';
