CREATE TABLE "settlements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"received" integer NOT NULL,
	"fee" integer NOT NULL,
	"reference" text NOT NULL,
	"actor_id" uuid,
	"recorded_at" timestamp (3) with time zone NOT NULL,
	"reversed_at" timestamp (3) with time zone,
	"reversal_reason" text DEFAULT '' NOT NULL,
	"reversed_by" uuid,
	CONSTRAINT "settlements_amount" CHECK ("settlements"."received" > 0 and "settlements"."fee" >= 0),
	CONSTRAINT "settlements_reversal" CHECK ("settlements"."reversed_at" is not null or "settlements"."reversal_reason" = ''),
	CONSTRAINT "settlements_reference_size" CHECK (octet_length("settlements"."reference") <= 1600),
	CONSTRAINT "settlements_reversal_reason_size" CHECK (octet_length("settlements"."reversal_reason") <= 3200)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_of";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "settlement_id" uuid;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_reversed_by_users_id_fk" FOREIGN KEY ("reversed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settlements_recorded" ON "settlements" USING btree ("recorded_at","id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_settlement_once" ON "ledger_entries" USING btree ("cause","settlement_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id", "ledger_entries"."complimentary_id", "ledger_entries"."settlement_id") = 1
        and num_nonnulls("ledger_entries"."refund_id", "ledger_entries"."dispute_id") <= num_nonnulls("ledger_entries"."charge_id"));--> statement-breakpoint
-- A settlement is corrected by its reversal, which it gets once.
CREATE FUNCTION refuse_settlement_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  reversal CONSTANT text[] := ARRAY['reversed_at', 'reversal_reason', 'reversed_by'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.reversed_at IS NULL AND NEW.reversed_at IS NOT NULL
    AND to_jsonb(NEW) - reversal = to_jsonb(OLD) - reversal THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'table "%" is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER settlements_unchanged BEFORE UPDATE OR DELETE ON settlements
  FOR EACH ROW EXECUTE FUNCTION refuse_settlement_change();--> statement-breakpoint
CREATE TRIGGER settlements_not_truncated BEFORE TRUNCATE ON settlements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
