/** API logs on the wire. Open point OP-87. */
import { type Static, Type } from 'typebox';
import { MAX_BODY_CHARS } from '../../api-logs/api-log.ts';
import { CREATED_DAYS_QUERY } from '../created-days.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { headers } from './shared-forms.ts';

export const ApiLog = Type.Object({
  id: Type.String({ format: 'uuid' }),
  request_method: Type.String(),
  request_url: Type.String(),
  request_body: Type.String({
    description: `As it was sent, without uploaded files; cut after ${MAX_BODY_CHARS} characters.`,
  }),
  request_headers: headers('Names such as HTTP_AUTHORIZATION_KEY. The signature is masked.'),
  response_status: Type.String(),
  response_body: Type.String({ description: `Cut after ${MAX_BODY_CHARS} characters.` }),
  response_headers: headers('Names as they were sent.'),
  created_at: Type.String({ format: 'date-time' }),
});

export const ApiLogAnswer = Type.Object({ object: ApiLog });
export const ApiLogList = Type.Object({ object: Type.Array(ApiLog), meta: Type.Object({ pagination: Pagination }) });

export const ApiLogQuery = Type.Object({
  ...PAGE_QUERY,
  ...CREATED_DAYS_QUERY,
});
export type ApiLogQuery = Static<typeof ApiLogQuery>;

export const IdParams = Type.Object({ id: Type.String({ format: 'uuid' }) });
export type IdParams = Static<typeof IdParams>;
