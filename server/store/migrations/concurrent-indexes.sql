-- Indexes of large tables, which a server makes at its start after the migrations, outside a transaction (decision 098).
-- Each is `create index concurrently "name" on "table" (…);`. An index stays here; a migration that drops it removes it.
create unique index concurrently "ledger_entries_statement_once" on "ledger_entries" ("cause", "statement_id");
create unique index concurrently "ledger_entries_clearing_once" on "ledger_entries" ("cause", "clearing_id");
create unique index concurrently "ledger_entries_bank_fee_once" on "ledger_entries" ("cause", "bank_fee_id");
create index concurrently "payments_card" on "payments" ("changes_card_of") where "changes_card_of" is not null;
create index concurrently "payments_months" on "payments" ("user_id", "period_from") where "state" = 'paid' and "period_from" is not null;
create index concurrently "operator_tasks_closed" on "operator_tasks" ("done_at", "id") where "done_at" is not null;
create index concurrently "message_search_folding" on "message_search" ("folding", "message_id");
create index concurrently "person_search_folding" on "person_search" ("folding", "user_id");
create index concurrently "post_search_folding" on "post_search" ("folding", "post_id");
