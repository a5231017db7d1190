/** The address of another database on the same server. By text, because an address with a socket is no URL to Node. */
export function databaseUrl(serverUrl: string, database: string): string {
  return serverUrl.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}
