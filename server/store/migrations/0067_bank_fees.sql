CREATE TABLE "bank_fees" (
	"id" uuid PRIMARY KEY NOT NULL,
	"export_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"fee" integer NOT NULL,
	"actor_id" uuid NOT NULL,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_fees_amount" CHECK ("bank_fees"."fee" >= 0 and "bank_fees"."position" >= 1)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_of";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "bank_fee_id" uuid;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "transfer_fee" bigint;--> statement-breakpoint
ALTER TABLE "statements" ADD COLUMN "transfer_fee_tax" bigint;--> statement-breakpoint
ALTER TABLE "bank_fees" ADD CONSTRAINT "bank_fees_export_id_payout_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."payout_exports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_fees" ADD CONSTRAINT "bank_fees_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bank_fees_once" ON "bank_fees" USING btree ("export_id","position");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_bank_fee_id_bank_fees_id_fk" FOREIGN KEY ("bank_fee_id") REFERENCES "public"."bank_fees"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id", "ledger_entries"."complimentary_id", "ledger_entries"."settlement_id", "ledger_entries"."statement_id", "ledger_entries"."clearing_id", "ledger_entries"."bank_fee_id") = 1
        and num_nonnulls("ledger_entries"."refund_id", "ledger_entries"."dispute_id") <= num_nonnulls("ledger_entries"."charge_id")) NOT VALID;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_transfer_fee" CHECK (num_nonnulls("statements"."transfer_fee", "statements"."transfer_fee_tax") in (0, 2)) NOT VALID;--> statement-breakpoint
-- A record of a fee is corrected by another one, as the ledger is by another entry.
CREATE TRIGGER bank_fees_unchanged BEFORE UPDATE OR DELETE ON "bank_fees"
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER bank_fees_not_truncated BEFORE TRUNCATE ON "bank_fees"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
