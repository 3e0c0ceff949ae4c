CREATE TABLE "balance_clearings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "balance_clearings_amount" CHECK ("balance_clearings"."amount" > 0),
	CONSTRAINT "balance_clearings_reason_size" CHECK (octet_length("balance_clearings"."reason") <= 3200)
);
--> statement-breakpoint
CREATE TABLE "departed_payees" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"is_suspended" boolean NOT NULL,
	"released_at" timestamp (3) with time zone,
	"departed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "departed_payees_sealed_size" CHECK (octet_length("departed_payees"."sealed") <= 4000)
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_of";--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "clearing_id" uuid;--> statement-breakpoint
ALTER TABLE "balance_clearings" ADD CONSTRAINT "balance_clearings_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balance_clearings" ADD CONSTRAINT "balance_clearings_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "departed_payees" ADD CONSTRAINT "departed_payees_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "balance_clearings_creator" ON "balance_clearings" USING btree ("creator_id","created_at");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_clearing_id_balance_clearings_id_fk" FOREIGN KEY ("clearing_id") REFERENCES "public"."balance_clearings"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of" CHECK (num_nonnulls("ledger_entries"."charge_id", "ledger_entries"."payout_id", "ledger_entries"."complimentary_id", "ledger_entries"."settlement_id", "ledger_entries"."statement_id", "ledger_entries"."clearing_id") = 1
        and num_nonnulls("ledger_entries"."refund_id", "ledger_entries"."dispute_id") <= num_nonnulls("ledger_entries"."charge_id")) NOT VALID;--> statement-breakpoint
-- The version before deletes accounts of deleted people in each sweep; money is still owed to those who are here.
CREATE FUNCTION keep_departed_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM departed_payees WHERE user_id = OLD.user_id) THEN
    RETURN NULL;
  END IF;
  RETURN OLD;
END
$$;--> statement-breakpoint
CREATE TRIGGER bank_accounts_kept BEFORE DELETE ON "bank_accounts" FOR EACH ROW EXECUTE FUNCTION keep_departed_account();
