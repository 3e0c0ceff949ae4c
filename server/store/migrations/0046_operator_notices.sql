CREATE TABLE "advertising_consents" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"withdrawn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notice_marks" (
	"notice_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"read_on" date,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "notice_marks_notice_id_user_id_pk" PRIMARY KEY("notice_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notice_read_days" (
	"notice_id" uuid NOT NULL,
	"day" date NOT NULL,
	"readers" integer NOT NULL,
	CONSTRAINT "notice_read_days_notice_id_day_pk" PRIMARY KEY("notice_id","day")
);
--> statement-breakpoint
ALTER TABLE "letters" ADD COLUMN "notice_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "content" jsonb;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "audience_creator_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "audience_plan_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "audience_build" text;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "audience_which" text;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "pushes" boolean;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "mails" boolean;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "is_advertising" boolean;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "is_urgent" boolean;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "bar_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "picture_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "total" integer;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "reached" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "delivered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Notices from before: their text has no marks, and they went to the settings of each reader, without email.
UPDATE "notices" SET
  "content" = (
    SELECT coalesce(jsonb_agg(jsonb_build_object('is', 'paragraph', 'pieces', jsonb_build_array(jsonb_build_object('text', part))) ORDER BY n), '[]')
    FROM regexp_split_to_table("body", E'\\n{2,}') WITH ORDINALITY AS split(part, n) WHERE btrim(part) <> ''
  ),
  "state" = CASE
    WHEN "published_at" IS NULL THEN 'draft'
    WHEN EXISTS (SELECT 1 FROM "fan_outs" WHERE "about_id" = "notices"."id" AND "done_at" IS NULL) THEN 'publishing'
    WHEN "published_at" > now() THEN 'scheduled'
    ELSE 'published' END,
  "pushes" = true,
  "mails" = true,
  "is_advertising" = false,
  "is_urgent" = false;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "content" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "state" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "pushes" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "mails" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "is_advertising" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "is_urgent" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "build" text;--> statement-breakpoint
ALTER TABLE "advertising_consents" ADD CONSTRAINT "advertising_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_marks" ADD CONSTRAINT "notice_marks_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_marks" ADD CONSTRAINT "notice_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_read_days" ADD CONSTRAINT "notice_read_days_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_marks_user" ON "notice_marks" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_audience_creator_id_users_id_fk" FOREIGN KEY ("audience_creator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_picture_id_media_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "letters_notice" ON "letters" USING btree ("notice_id") WHERE notice_id is not null;--> statement-breakpoint
CREATE INDEX "notices_newest" ON "notices" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notices_state" ON "notices" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_bars" ON "notices" USING btree ("published_at","id") WHERE is_urgent;--> statement-breakpoint
CREATE INDEX "notices_picture" ON "notices" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "notices_creator" ON "notices" USING btree ("audience_creator_id");--> statement-breakpoint
CREATE INDEX "sessions_build" ON "sessions" USING btree ("build");