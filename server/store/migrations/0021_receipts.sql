CREATE TABLE "receipt_years" (
	"year" smallint PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"addressee" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"last_issued_at" timestamp (3) with time zone NOT NULL,
	"issues" integer NOT NULL,
	CONSTRAINT "receipts_addressee_size" CHECK (octet_length("receipts"."addressee") <= 1600)
);
--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_number" ON "receipts" USING btree ("number");--> statement-breakpoint
CREATE INDEX "payments_history" ON "payments" USING btree ("user_id","paid_at","id");