ALTER TABLE "sandbox_charges" ADD COLUMN "provider" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_notices" ADD COLUMN "provider" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_recurring" ADD COLUMN "provider" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_notices" ADD COLUMN "method" text DEFAULT 'GET' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_notices" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "payment_notices" ADD COLUMN "body" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "payment_notices" ADD CONSTRAINT "payment_notices_body_size" CHECK (octet_length("payment_notices"."body") <= 87384) NOT VALID;