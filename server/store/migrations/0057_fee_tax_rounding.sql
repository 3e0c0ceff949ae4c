ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_of";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "statement_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
-- A statement is one more thing that an entry can be about. Rows that stand were checked by the constraint of before.
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id", "ledger_entries"."complimentary_id", "ledger_entries"."settlement_id", "ledger_entries"."statement_id") = 1
        and num_nonnulls("ledger_entries"."refund_id", "ledger_entries"."dispute_id") <= num_nonnulls("ledger_entries"."charge_id")) NOT VALID;
