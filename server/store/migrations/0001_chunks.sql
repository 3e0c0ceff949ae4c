ALTER TABLE "uploads" ADD COLUMN "finished_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "received" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "chunks" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "wanted_digest" text;--> statement-breakpoint
UPDATE "uploads" SET "finished_at" = "touched_at";
