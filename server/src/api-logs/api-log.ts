/** A call and its answer, as they are kept for the caller to look up. Open point OP-87. */

export interface ApiLog {
  readonly accountId: string;
  readonly apiLogId: string;
  readonly requestMethod: string;
  readonly requestUrl: string;
  readonly requestHeaders: HeaderMap;
  readonly requestBody: string;
  readonly responseStatus: number;
  readonly responseHeaders: HeaderMap;
  readonly responseBody: string;
  readonly createdAt: Date;
}

export type HeaderMap = Readonly<Record<string, string>>;

/** Of each body; what is longer is cut, and says so. */
export const MAX_BODY_CHARS = 16_384;
