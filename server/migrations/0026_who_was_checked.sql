-- Why: a caller may edit a sender at any time, and what it was called when a list named it was kept nowhere. Each check
-- now keeps whom it was about. And decisions about one sender, or anything else, are read from the audit log by what they
-- were about, which may grow for years. The program notes there too what a provider contradicts.

alter table sender_checks add column subjects json not null default '[]';
create index audit_log_of_subject on audit_log (subject, at desc, audit_id desc);

comment on column sender_checks.subjects is 'Whom the check was about, as the sender was then: names, type, birth date, countries. Empty for checks from before this was kept.';
comment on table audit_log is 'Every operator action, and what the program notes for operators by itself (system), written in the same commit as the change. Append-only.';
