CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"creator_id" uuid NOT NULL,
	"plan_id" uuid,
	"price" integer NOT NULL,
	"next_plan_id" uuid,
	"next_price" integer,
	"state" text NOT NULL,
	"charge_day" smallint NOT NULL,
	"provider" text NOT NULL,
	"acid" text NOT NULL,
	"charged_amount" integer NOT NULL,
	"paid_until" timestamp (3) with time zone NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"why" text
);
--> statement-breakpoint
CREATE TABLE "sandbox_recurring" (
	"acid" text PRIMARY KEY NOT NULL,
	"fields" jsonb NOT NULL,
	"payment_id" text NOT NULL,
	"amount" integer NOT NULL,
	"state" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox_notices" DROP CONSTRAINT "sandbox_notices_gid_sandbox_charges_gid_fk";
--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "acid" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "plan_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "membership_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "period_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "period_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plan_members" ADD COLUMN "membership_id" uuid;--> statement-breakpoint
ALTER TABLE "plan_members" ADD COLUMN "is_included" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "plan_members" ADD COLUMN "copies_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_id_payments_id_fk" FOREIGN KEY ("id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_next_plan_id_plans_id_fk" FOREIGN KEY ("next_plan_id") REFERENCES "public"."plans"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_running" ON "memberships" USING btree ("user_id","creator_id") WHERE "memberships"."state" <> 'ended';--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_acid" ON "memberships" USING btree ("provider","acid");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id","joined_at");--> statement-breakpoint
CREATE INDEX "memberships_creator" ON "memberships" USING btree ("creator_id","state");--> statement-breakpoint
CREATE INDEX "memberships_plan" ON "memberships" USING btree ("plan_id","state");--> statement-breakpoint
CREATE INDEX "memberships_next_plan" ON "memberships" USING btree ("next_plan_id");--> statement-breakpoint
CREATE INDEX "memberships_due" ON "memberships" USING btree ("paid_until") WHERE "memberships"."state" <> 'ended';--> statement-breakpoint
CREATE INDEX "sandbox_recurring_due" ON "sandbox_recurring" USING btree ("next_at") WHERE "sandbox_recurring"."state" = 'running';--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_paid_period" ON "payments" USING btree ("membership_id","period_until");--> statement-breakpoint
CREATE INDEX "payments_plan" ON "payments" USING btree ("plan_id");--> statement-breakpoint
CREATE INDEX "plan_members_membership" ON "plan_members" USING btree ("membership_id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id");--> statement-breakpoint
ALTER TABLE "plan_members" ADD CONSTRAINT "plan_members_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id");
