CREATE TABLE "complimentary_memberships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"creator_id" uuid NOT NULL,
	"plan_id" uuid,
	"paid" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "complimentary_memberships_paid" CHECK ("complimentary_memberships"."paid" >= 0),
	CONSTRAINT "complimentary_memberships_reason_size" CHECK (octet_length("complimentary_memberships"."reason") <= 3200)
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"state" text NOT NULL,
	"amount" integer NOT NULL,
	"fee" integer NOT NULL,
	"reason" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "disputes_amount" CHECK ("disputes"."amount" > 0 and "disputes"."fee" >= 0),
	CONSTRAINT "disputes_reason_size" CHECK (octet_length("disputes"."reason") <= 3200)
);
--> statement-breakpoint
CREATE TABLE "fee_rates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"first_day" date NOT NULL,
	"rate" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fee_rates_rate" CHECK ("fee_rates"."rate" between 0 and 10000),
	CONSTRAINT "fee_rates_reason_size" CHECK (octet_length("fee_rates"."reason") <= 3200)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_reason_size" CHECK (octet_length("refunds"."reason") <= 3200)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_of";--> statement-breakpoint
DROP INDEX "ledger_entries_once";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "complimentary_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "refund_id" uuid;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "dispute_id" uuid;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "refunded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_amount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plan_members" ADD COLUMN "complimentary_id" uuid;--> statement-breakpoint
ALTER TABLE "complimentary_memberships" ADD CONSTRAINT "complimentary_memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complimentary_memberships" ADD CONSTRAINT "complimentary_memberships_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complimentary_memberships" ADD CONSTRAINT "complimentary_memberships_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complimentary_memberships" ADD CONSTRAINT "complimentary_memberships_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_rates" ADD CONSTRAINT "fee_rates_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_rates" ADD CONSTRAINT "fee_rates_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "complimentary_memberships_user" ON "complimentary_memberships" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "complimentary_memberships_creator" ON "complimentary_memberships" USING btree ("creator_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_open" ON "disputes" USING btree ("payment_id") WHERE "disputes"."state" = 'open';--> statement-breakpoint
CREATE INDEX "disputes_payment" ON "disputes" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "fee_rates_creator" ON "fee_rates" USING btree ("creator_id","first_day","created_at");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_charge" ON "refunds" USING btree ("charge_id");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_complimentary_id_complimentary_memberships_id_fk" FOREIGN KEY ("complimentary_id") REFERENCES "public"."complimentary_memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_complimentary_once" ON "ledger_entries" USING btree ("cause","complimentary_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_refund_once" ON "ledger_entries" USING btree ("cause","refund_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_dispute_once" ON "ledger_entries" USING btree ("cause","dispute_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_charge" ON "ledger_entries" USING btree ("charge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("cause","charge_id") WHERE "ledger_entries"."refund_id" is null and "ledger_entries"."dispute_id" is null;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id", "ledger_entries"."complimentary_id") = 1
        and num_nonnulls("ledger_entries"."refund_id", "ledger_entries"."dispute_id") <= num_nonnulls("ledger_entries"."charge_id"));--> statement-breakpoint
ALTER TABLE "plan_members" ADD CONSTRAINT "plan_members_complimentary_id_complimentary_memberships_id_fk" FOREIGN KEY ("complimentary_id") REFERENCES "public"."complimentary_memberships"("id");--> statement-breakpoint
-- Refunds that were made before they had rows: each was of the whole payment, and gets the id of its entry.
UPDATE payments SET refunded_amount = amount WHERE state = 'refunded';--> statement-breakpoint
UPDATE sandbox_charges SET refunded = amount WHERE state = 'refunded';--> statement-breakpoint
INSERT INTO refunds (id, payment_id, charge_id, amount, reason, created_at)
  SELECT e.id, c.payment_id, c.id, c.amount, '', e.at
  FROM ledger_entries e JOIN charges c ON c.id = e.charge_id WHERE e.cause = 'refund';--> statement-breakpoint
ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_unchanged;--> statement-breakpoint
UPDATE ledger_entries e SET refund_id = r.id FROM refunds r
  WHERE e.charge_id = r.charge_id AND e.cause IN ('refund', 'refund_paid');--> statement-breakpoint
ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_unchanged;--> statement-breakpoint
-- Fee rates decide what creators got: a wrong one is corrected by another row.
CREATE TRIGGER fee_rates_unchanged BEFORE UPDATE ON fee_rates
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
