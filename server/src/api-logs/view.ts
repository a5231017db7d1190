/** An API log as the API shows it. Open point OP-87. */
import type { ApiLog } from './api-log.ts';

export function viewApiLog(log: ApiLog) {
  return {
    id: log.apiLogId,
    request_method: log.requestMethod,
    request_url: log.requestUrl,
    request_body: log.requestBody,
    request_headers: log.requestHeaders,
    // A string, as published.
    response_status: String(log.responseStatus),
    response_body: log.responseBody,
    response_headers: log.responseHeaders,
    created_at: log.createdAt.toISOString(),
  };
}
