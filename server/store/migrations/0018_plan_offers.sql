CREATE TABLE "plan_pictures" (
	"plan_id" uuid NOT NULL,
	"role" text NOT NULL,
	"media_id" uuid NOT NULL,
	CONSTRAINT "plan_pictures_plan_id_role_pk" PRIMARY KEY("plan_id","role")
);
--> statement-breakpoint
DROP INDEX "plan_members_user";--> statement-breakpoint
DROP INDEX "plans_creator";--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "thanks" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "accepts_members" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "member_limit" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "opens_cheaper" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "back_numbers" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plan_pictures" ADD CONSTRAINT "plan_pictures_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_pictures" ADD CONSTRAINT "plan_pictures_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plan_pictures_media" ON "plan_pictures" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "plan_members_newest" ON "plan_members" USING btree ("plan_id","joined_at","user_id");--> statement-breakpoint
CREATE INDEX "plan_members_user" ON "plan_members" USING btree ("user_id","joined_at","plan_id");--> statement-breakpoint
CREATE INDEX "plans_creator" ON "plans" USING btree ("creator_id","position","price","id");--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_description_size" CHECK (octet_length("plans"."description") <= 32000);--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_thanks_size" CHECK (octet_length("plans"."thanks") <= 16000);