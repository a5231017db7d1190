-- Why: callers look up what they sent and what they were answered. Written after the answer, without waiting for the
-- disk, and deleted when the retention is over: nothing else may depend on these rows.

create table api_logs (
  account_id uuid not null,
  api_log_id uuid not null,
  request_method text not null,
  request_url text not null,
  request_headers json not null,
  request_body text not null,
  response_status smallint not null,
  response_headers json not null,
  response_body text not null,
  created_at timestamptz not null,
  constraint api_logs_pkey primary key (account_id, api_log_id)
);
select distribute_by_account('api_logs');
create index api_logs_newest on api_logs (account_id, created_at desc, api_log_id desc);

comment on table api_logs is 'Every authenticated call with its answer, for the retention time. A crash may lose the last of them.';
comment on column api_logs.account_id is 'Whose call.';
comment on column api_logs.api_log_id is 'The id on the wire: the id of the command that the call carried.';
comment on column api_logs.request_method is 'The HTTP method.';
comment on column api_logs.request_url is 'The address that was called, with its query.';
comment on column api_logs.request_headers is 'Names such as HTTP_AUTHORIZATION_KEY to values; the signature and other credentials are masked.';
comment on column api_logs.request_body is 'The body as it was sent, cut when long, with uploaded files left out.';
comment on column api_logs.response_status is 'The HTTP status.';
comment on column api_logs.response_headers is 'Names to values, credentials masked.';
comment on column api_logs.response_body is 'The body of the answer, cut when long.';
comment on column api_logs.created_at is 'When the call was found authentic.';
