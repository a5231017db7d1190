-- Why: a caller may edit a sender at any time, and what it was called when a list named it was kept nowhere. Each check
-- now keeps whom it was about. And decisions about one sender, or anything else, are read from the audit log by what they
-- were about, which may grow for years.

alter table sender_checks add column subjects json not null default '[]';
create index audit_log_of_subject on audit_log (subject, at desc, audit_id desc);

comment on column sender_checks.subjects is 'Whom the check was about, as the sender was then: names, type, birth date, countries. Empty for checks from before this was kept.';
