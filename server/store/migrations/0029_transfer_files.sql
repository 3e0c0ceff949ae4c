ALTER TABLE "payout_exports" ADD COLUMN "left_out" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD COLUMN "voided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD COLUMN "void_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "approved_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD CONSTRAINT "payout_exports_void_reason_size" CHECK (octet_length("payout_exports"."void_reason") <= 3200);--> statement-breakpoint
ALTER TABLE "payout_exports" ADD CONSTRAINT "payout_exports_voided" CHECK ("payout_exports"."voided_at" is null or "payout_exports"."sealed" = '');