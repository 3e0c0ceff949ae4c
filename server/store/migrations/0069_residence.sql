ALTER TABLE "bank_accounts" ADD COLUMN "residence" text;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "residence_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "tax_check" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "withheld" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "tax_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_withheld" CHECK ("payouts"."withheld" >= 0 and "payouts"."amount" > "payouts"."fee" + "payouts"."withheld"
        and ("payouts"."withheld" = 0 or coalesce("payouts"."tax_check", '') = 'done')) NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_tax_reason_size" CHECK (octet_length("payouts"."tax_reason") <= 3200) NOT VALID;