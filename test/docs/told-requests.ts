/** The requests that a page tells its readers to make. */

interface ToldRequest {
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** `# 201` and below it `node bin/payferry.js request POST /v1/... '{...}'`, the body over several lines if need be. */
const REQUEST = /^# (\d{3})\nnode bin\/payferry\.js request ([A-Z]+) '?(\/[^\s']+)'?(?: '([^']*)')?$/gm;

/** Throws where a request is told in a form that is not understood here, and so would not be run. */
export function toldRequests(document: string): readonly ToldRequest[] {
  const told = [...document.matchAll(REQUEST)].map(([, status, method = '', path = '', body = '']) => ({
    status: Number(status),
    method,
    path,
    body,
  }));
  const shown = document.split('payferry.js request').length - 1;
  if (told.length === 0 || told.length !== shown)
    throw new Error(`${shown} requests, of which ${told.length} are read`);
  return told;
}
