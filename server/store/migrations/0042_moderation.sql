CREATE TABLE "appeals" (
	"decision_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"answered_by" uuid,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "appeals_text_size" CHECK (octet_length("appeals"."text") <= 32000),
	CONSTRAINT "appeals_answer_size" CHECK (octet_length("appeals"."answer") <= 32000)
);
--> statement-breakpoint
CREATE TABLE "cases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"owner_id" uuid,
	"state" text NOT NULL,
	"reports" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"taken_by" uuid,
	"taken_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "decision_templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"use" text NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "decision_templates_name_size" CHECK (octet_length("decision_templates"."name") <= 800),
	CONSTRAINT "decision_templates_text_size" CHECK (octet_length("decision_templates"."text") <= 32000)
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"case_id" uuid NOT NULL,
	"person_id" uuid,
	"outcome" text NOT NULL,
	"rule" text,
	"text_to_person" text NOT NULL,
	"text_to_reporters" text NOT NULL,
	"excerpt" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"undone_by" uuid,
	"undone_at" timestamp (3) with time zone,
	CONSTRAINT "decisions_text_to_person_size" CHECK (octet_length("decisions"."text_to_person") <= 32000),
	CONSTRAINT "decisions_text_to_reporters_size" CHECK (octet_length("decisions"."text_to_reporters") <= 32000),
	CONSTRAINT "decisions_excerpt_size" CHECK (octet_length("decisions"."excerpt") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "measures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"decision_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"changed" boolean DEFAULT true NOT NULL,
	"final_at" timestamp (3) with time zone
);
--> statement-breakpoint
DROP INDEX "reports_state";--> statement-breakpoint
DROP INDEX "reports_target";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "limited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "withheld_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "withheld_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "case_id" uuid;--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "answer" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appeals" ADD CONSTRAINT "appeals_answered_by_users_id_fk" FOREIGN KEY ("answered_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cases" ADD CONSTRAINT "cases_taken_by_users_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "measures" ADD CONSTRAINT "measures_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "cases_target" ON "cases" USING btree ("target_kind","target_id");--> statement-breakpoint
CREATE INDEX "cases_age" ON "cases" USING btree ("state","since","id");--> statement-breakpoint
CREATE INDEX "cases_kind_age" ON "cases" USING btree ("state","target_kind","since","id");--> statement-breakpoint
CREATE INDEX "cases_weight" ON "cases" USING btree ("state","reports","since","id");--> statement-breakpoint
CREATE INDEX "cases_kind_weight" ON "cases" USING btree ("state","target_kind","reports","since","id");--> statement-breakpoint
CREATE INDEX "cases_owner" ON "cases" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "decision_templates_name" ON "decision_templates" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "decisions_case" ON "decisions" USING btree ("case_id","decided_at");--> statement-breakpoint
CREATE INDEX "decisions_person" ON "decisions" USING btree ("person_id","decided_at","id");--> statement-breakpoint
CREATE INDEX "measures_decision" ON "measures" USING btree ("decision_id");--> statement-breakpoint
CREATE INDEX "measures_target" ON "measures" USING btree ("target_kind","target_id");--> statement-breakpoint
CREATE INDEX "measures_until" ON "measures" USING btree ("until") WHERE ended_at is null and until is not null;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Reports from before cases: one case for each reported thing.
INSERT INTO cases (id, target_kind, target_id, owner_id, state, reports, since)
  SELECT gen_random_uuid(), target_kind, target_id, (array_agg(owner_id ORDER BY created_at DESC))[1],
    CASE WHEN bool_or(state = 'open') THEN 'open' ELSE 'decided' END,
    count(*) FILTER (WHERE state = 'open'),
    coalesce(min(created_at) FILTER (WHERE state = 'open'), max(coalesce(decided_at, created_at)))
  FROM reports GROUP BY target_kind, target_id;--> statement-breakpoint
UPDATE reports r SET case_id = c.id, state = CASE WHEN r.state IN ('removed', 'warned', 'suspended') THEN 'acted' ELSE r.state END
  FROM cases c WHERE c.target_kind = r.target_kind AND c.target_id = r.target_id;--> statement-breakpoint
ALTER TABLE "reports" ALTER COLUMN "case_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "reports_case" ON "reports" USING btree ("case_id","created_at");--> statement-breakpoint
CREATE INDEX "reports_owner" ON "reports" USING btree ("owner_id");