CREATE TABLE "bank_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"bank_code" text NOT NULL,
	"branch_code" text NOT NULL,
	"type" text NOT NULL,
	"last_digits" text NOT NULL,
	"sealed" text NOT NULL,
	"name_check" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"held_until" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "bank_accounts_bank_code_size" CHECK (octet_length("bank_accounts"."bank_code") <= 4),
	CONSTRAINT "bank_accounts_branch_code_size" CHECK (octet_length("bank_accounts"."branch_code") <= 3),
	CONSTRAINT "bank_accounts_last_digits_size" CHECK (octet_length("bank_accounts"."last_digits") <= 3),
	CONSTRAINT "bank_accounts_sealed_size" CHECK (octet_length("bank_accounts"."sealed") <= 1000)
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;