-- Sums of closed days, monthly statements, payouts, and the creator of each entry.
CREATE TABLE "ledger_closed_days" (
	"day" date PRIMARY KEY NOT NULL,
	"closed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" uuid NOT NULL,
	"day" date NOT NULL,
	"cause" text NOT NULL,
	"kind" text,
	"item_id" uuid,
	"count" integer NOT NULL,
	"gross" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"fee_tax" bigint NOT NULL,
	"net" bigint NOT NULL,
	CONSTRAINT "ledger_days_once" UNIQUE NULLS NOT DISTINCT("creator_id","day","cause","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" uuid NOT NULL,
	"month" text NOT NULL,
	"number" text NOT NULL,
	"opening" bigint NOT NULL,
	"closing" bigint NOT NULL,
	"plans" bigint NOT NULL,
	"posts" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"fee_tax" bigint NOT NULL,
	"net" bigint NOT NULL,
	"paid_out" bigint NOT NULL,
	"issuer" text NOT NULL,
	"issuer_number" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statements_balanced" CHECK ("statements"."opening" + "statements"."net" - "statements"."paid_out" = "statements"."closing"),
	CONSTRAINT "statements_shares" CHECK ("statements"."plans" + "statements"."posts" - "statements"."refunds" = "statements"."net" + "statements"."fee" + "statements"."fee_tax")
);
--> statement-breakpoint
CREATE TABLE "payout_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid NOT NULL,
	"day" date NOT NULL,
	"count" integer NOT NULL,
	"total" bigint NOT NULL,
	"sealed" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_exports_sealed_size" CHECK (octet_length("payout_exports"."sealed") <= 4000000)
);
--> statement-breakpoint
CREATE TABLE "payout_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"automatic" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "payouts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"creator_id" uuid NOT NULL,
	"month" text NOT NULL,
	"is_automatic" boolean NOT NULL,
	"state" text NOT NULL,
	"amount" bigint NOT NULL,
	"fee" integer NOT NULL,
	"due_on" date NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"approved_by" uuid,
	"export_id" uuid,
	"paid_at" timestamp (3) with time zone,
	"returned_at" timestamp (3) with time zone,
	"reason" text DEFAULT '' NOT NULL,
	"last_digits" text DEFAULT '' NOT NULL,
	CONSTRAINT "payouts_amount" CHECK ("payouts"."fee" >= 0 and "payouts"."amount" > "payouts"."fee"),
	CONSTRAINT "payouts_reason_size" CHECK (octet_length("payouts"."reason") <= 3200)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" ALTER COLUMN "charge_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "creator_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_day_ledger_closed_days_day_fk" FOREIGN KEY ("day") REFERENCES "public"."ledger_closed_days"("day") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statements" ADD CONSTRAINT "statements_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD CONSTRAINT "payout_exports_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_settings" ADD CONSTRAINT "payout_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_approved_by_users_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_export_id_payout_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."payout_exports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "statements_month" ON "statements" USING btree ("creator_id","month");--> statement-breakpoint
CREATE UNIQUE INDEX "statements_number" ON "statements" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_number" ON "payouts" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_month" ON "payouts" USING btree ("creator_id","month") WHERE "payouts"."state" not in ('returned', 'cancelled');--> statement-breakpoint
CREATE INDEX "payouts_creator" ON "payouts" USING btree ("creator_id","requested_at");--> statement-breakpoint
CREATE INDEX "payouts_state" ON "payouts" USING btree ("state","due_on","number");--> statement-breakpoint
CREATE INDEX "payouts_export" ON "payouts" USING btree ("export_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_payout_once" ON "ledger_entries" USING btree ("cause","payout_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_creator" ON "ledger_entries" USING btree ("creator_id","at","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_at" ON "ledger_entries" USING btree ("at");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id") = 1);
--> statement-breakpoint
-- Entries that were booked before they named their creator. The lines of a sale and of its refund name the creator.
ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_unchanged;--> statement-breakpoint
UPDATE ledger_entries SET creator_id = payments.creator_id FROM charges, payments
  WHERE charges.id = ledger_entries.charge_id AND payments.id = charges.payment_id
    AND ledger_entries.cause IN ('sale', 'refund');--> statement-breakpoint
ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_unchanged;--> statement-breakpoint
-- Sums and statements are never changed: a mistake is corrected by an entry of a later day.
CREATE TRIGGER ledger_closed_days_unchanged BEFORE UPDATE OR DELETE ON ledger_closed_days
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER ledger_closed_days_not_truncated BEFORE TRUNCATE ON ledger_closed_days
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER ledger_days_unchanged BEFORE UPDATE OR DELETE ON ledger_days
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER ledger_days_not_truncated BEFORE TRUNCATE ON ledger_days
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER statements_unchanged BEFORE UPDATE OR DELETE ON statements
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER statements_not_truncated BEFORE TRUNCATE ON statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
