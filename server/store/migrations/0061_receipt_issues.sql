CREATE TABLE "receipt_issues" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"payment_id" uuid NOT NULL,
	"issue" integer NOT NULL,
	"amount" integer NOT NULL,
	"refunded_amount" integer NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"sealed" text DEFAULT '' NOT NULL,
	"addressee" text DEFAULT '' NOT NULL,
	CONSTRAINT "receipt_issues_addressee_size" CHECK (octet_length("receipt_issues"."addressee") <= 1600),
	CONSTRAINT "receipt_issues_sealed_size" CHECK (octet_length("receipt_issues"."sealed") <= 10000)
);
--> statement-breakpoint
CREATE TABLE "statement_addressees" (
	"statement_id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_addressees_sealed_size" CHECK (octet_length("statement_addressees"."sealed") <= 4000)
);
--> statement-breakpoint
ALTER TABLE "departed_payees" DROP CONSTRAINT "departed_payees_sealed_size";--> statement-breakpoint
ALTER TABLE "receipt_issues" ADD CONSTRAINT "receipt_issues_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_addressees" ADD CONSTRAINT "statement_addressees_statement_id_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "statement_addressees" ADD CONSTRAINT "statement_addressees_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "receipt_issues_once" ON "receipt_issues" USING btree ("payment_id","issue");--> statement-breakpoint
CREATE INDEX "receipt_issues_at" ON "receipt_issues" USING btree ("issued_at","id");--> statement-breakpoint
CREATE INDEX "receipt_issues_unsealed" ON "receipt_issues" USING btree ("id") WHERE "receipt_issues"."addressee" <> '';--> statement-breakpoint
CREATE INDEX "statement_addressees_creator" ON "statement_addressees" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "statement_addressees_at" ON "statement_addressees" USING btree ("issued_at","statement_id");--> statement-breakpoint
ALTER TABLE "departed_payees" ADD CONSTRAINT "departed_payees_sealed_size" CHECK (octet_length("departed_payees"."sealed") <= 8000) NOT VALID;--> statement-breakpoint
-- What was issued stays. Its encrypted text is replaced by that of another key, and emptied after its time.
CREATE TRIGGER receipt_issues_unchanged BEFORE DELETE OR UPDATE OF payment_id, issue, amount, refunded_amount, issued_at ON receipt_issues
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
CREATE TRIGGER receipt_issues_not_truncated BEFORE TRUNCATE ON receipt_issues
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();--> statement-breakpoint
-- A server of the version before replaces the addressee of a receipt: each of its issues is added here.
CREATE FUNCTION add_receipt_issue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO receipt_issues (payment_id, issue, amount, refunded_amount, issued_at, addressee)
    SELECT NEW.payment_id, NEW.issues, amount, refunded_amount, NEW.last_issued_at, NEW.addressee
    FROM payments WHERE id = NEW.payment_id
    ON CONFLICT (payment_id, issue) DO NOTHING;
  RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER receipts_issued AFTER INSERT OR UPDATE OF issues ON receipts
  FOR EACH ROW EXECUTE FUNCTION add_receipt_issue();
