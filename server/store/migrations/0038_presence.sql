ALTER TABLE "user_settings" ADD COLUMN "shows_presence" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_settings" ADD COLUMN "seen_at" timestamp (3) with time zone;