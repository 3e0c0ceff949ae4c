ALTER TABLE "memberships" ADD COLUMN "form_id" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "card_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "card_expires" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "card_told" text;--> statement-breakpoint
ALTER TABLE "sandbox_recurring" ADD COLUMN "card_expires" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "changes_card_of" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "registers_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_form_id_payments_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_changes_card_of_memberships_id_fk" FOREIGN KEY ("changes_card_of") REFERENCES "public"."memberships"("id") NOT VALID;
