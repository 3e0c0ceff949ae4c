ALTER TABLE "media" ADD COLUMN "begun_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "ladder_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "ladder_begun_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "media_ladder" ON "media" USING btree ("ladder_since") WHERE "media"."ladder_since" is not null;