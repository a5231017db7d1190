-- Why: where events go, and what became of each on its way. A delivery is written in the commit of its event, so that an
-- event which is committed cannot be forgotten; the row itself is the work that a process claims. Keys get a successor,
-- because a receiver needs time to change over to the secret by which its webhooks are signed.

alter table api_keys add column valid_until timestamptz;
alter table api_keys add column successor text;
comment on column api_keys.valid_until is 'From then on calls with it are refused: the end of the overlap after it was replaced; null without an end.';
comment on column api_keys.successor is 'The key that took its place; null when none was named.';

create table webhooks (
  account_id uuid not null,
  webhook_id uuid not null,
  url text not null,
  events text[] not null,
  metadata json not null,
  key text not null,
  timeouts_in_row integer not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  emptied_at timestamptz,
  constraint webhooks_pkey primary key (account_id, webhook_id),
  constraint webhooks_url_length check (char_length(url) between 1 and 2048),
  constraint webhooks_disabled_with_reason check ((disabled_at is null) = (disabled_reason is null))
);
select distribute_by_account('webhooks');
create index webhooks_newest on webhooks (account_id, created_at desc, webhook_id desc);
create index webhooks_to_empty on webhooks (account_id, webhook_id)
  where emptied_at is null and (disabled_at is not null or deleted_at is not null);

comment on table webhooks is 'Addresses to which an account wants its events sent. Rows stay when a webhook is deleted: the logs name them.';
comment on column webhooks.account_id is 'Whose events.';
comment on column webhooks.webhook_id is 'The id on the wire.';
comment on column webhooks.url is 'The address as registered, letter by letter: it is signed.';
comment on column webhooks.events is 'Names of the events that it wants (webhooks/events.ts).';
comment on column webhooks.metadata is 'The caller''s free storage.';
comment on column webhooks.key is 'The API key that registered it and by which it is signed.';
comment on column webhooks.timeouts_in_row is 'How many attempts have timed out since one last ended otherwise.';
comment on column webhooks.created_at is 'When it was registered.';
comment on column webhooks.disabled_at is 'From then on nothing is sent there; null while it is enabled. It is never enabled again.';
comment on column webhooks.disabled_reason is 'Why it was disabled, for its account.';
comment on column webhooks.deleted_at is 'When the account took it away; null while it is there.';
comment on column webhooks.emptied_at is 'When the last delivery that waited for it was dropped, after it was disabled or deleted; null until then.';

create table webhook_deliveries (
  account_id uuid not null,
  event_id uuid not null,
  webhook_id uuid not null,
  object_id uuid not null,
  sequence integer not null,
  state text not null,
  state_reason text,
  attempts smallint not null,
  tries integer not null,
  next_attempt_at timestamptz,
  claim_id uuid,
  event_at timestamptz not null,
  finished_at timestamptz,
  constraint webhook_deliveries_pkey primary key (account_id, event_id, webhook_id),
  constraint webhook_deliveries_state_known check (state in ('waiting', 'delivered', 'dropped')),
  constraint webhook_deliveries_due_while_waiting check ((state = 'waiting') = (next_attempt_at is not null))
) with (fillfactor = 70);
select distribute_by_account('webhook_deliveries');
create index webhook_deliveries_due on webhook_deliveries (account_id, webhook_id, next_attempt_at)
  where next_attempt_at is not null;
create index webhook_deliveries_chains on webhook_deliveries (account_id, webhook_id, object_id, sequence)
  where next_attempt_at is not null;
create index webhook_deliveries_dropped on webhook_deliveries (account_id, event_at)
  where state = 'dropped';

comment on table webhook_deliveries is 'One row for each event and each webhook that wants it, written with the event. The row is the work.';
comment on column webhook_deliveries.account_id is 'Whose event.';
comment on column webhook_deliveries.event_id is 'The event.';
comment on column webhook_deliveries.webhook_id is 'Where it goes.';
comment on column webhook_deliveries.object_id is 'The object of the event: a webhook gets the events of one object in their order.';
comment on column webhook_deliveries.sequence is 'Place of the event in the order of its object.';
comment on column webhook_deliveries.state is 'waiting for an attempt, delivered, or dropped.';
comment on column webhook_deliveries.state_reason is 'Why it was dropped, or what the last attempt failed with; null when nothing did.';
comment on column webhook_deliveries.attempts is 'Attempts since it was stored, or since it was sent again on request: what the schedule counts.';
comment on column webhook_deliveries.tries is 'All attempts there ever were: what the log shows.';
comment on column webhook_deliveries.next_attempt_at is 'When it is due; while claimed, the end of the lease. Null once it is finished.';
comment on column webhook_deliveries.claim_id is 'The claim that is sending it; null when none is. An answer is recorded only under its own claim.';
comment on column webhook_deliveries.event_at is 'When the event happened.';
comment on column webhook_deliveries.finished_at is 'When it was delivered or dropped; null until then.';

create table webhook_attempts (
  account_id uuid not null,
  attempt_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  key text not null,
  tries integer not null,
  delivery_state text not null,
  outcome text not null,
  outcome_reason text,
  request_headers json not null,
  response_status smallint,
  response_headers json not null,
  response_body text not null,
  took_ms integer not null,
  created_at timestamptz not null,
  constraint webhook_attempts_pkey primary key (account_id, attempt_id),
  constraint webhook_attempts_outcome_known check (outcome in
    ('answered', 'timed_out', 'refused_address', 'failed', 'not_signed'))
);
select distribute_by_account('webhook_attempts');
create index webhook_attempts_newest on webhook_attempts (account_id, created_at desc, attempt_id desc);

comment on table webhook_attempts is 'Every attempt to deliver, for its account to look up, for the retention time. The body is built from the event again.';
comment on column webhook_attempts.account_id is 'Whose event.';
comment on column webhook_attempts.attempt_id is 'The id of the log on the wire.';
comment on column webhook_attempts.webhook_id is 'Where it went.';
comment on column webhook_attempts.event_id is 'What was sent.';
comment on column webhook_attempts.key is 'The API key by which it was signed; empty when there was none.';
comment on column webhook_attempts.tries is 'Which attempt of this delivery it was, from 1.';
comment on column webhook_attempts.delivery_state is 'What the delivery became by it: waiting, delivered or dropped.';
comment on column webhook_attempts.outcome is 'How it ended.';
comment on column webhook_attempts.outcome_reason is 'Why there was no answer; null when there was one.';
comment on column webhook_attempts.request_headers is 'The headers as they were sent: key, nonce and signature, never the secret.';
comment on column webhook_attempts.response_status is 'The HTTP status; null without an answer.';
comment on column webhook_attempts.response_headers is 'Headers of the answer, within bounds.';
comment on column webhook_attempts.response_body is 'The beginning of the answer.';
comment on column webhook_attempts.took_ms is 'Milliseconds from the start of the attempt to its end.';
comment on column webhook_attempts.created_at is 'When it was sent.';
