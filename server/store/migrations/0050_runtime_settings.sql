CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"uses" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"until_at" timestamp (3) with time zone NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_used" CHECK ("invitations"."used" between 0 and "invitations"."uses")
);
--> statement-breakpoint
CREATE TABLE "runtime_setting_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"from_value" jsonb,
	"to_value" jsonb,
	"actor_id" uuid NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runtime_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL,
	"figures" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "registrations" ADD COLUMN "invitation_id" uuid;--> statement-breakpoint
ALTER TABLE "runtime_setting_changes" ADD CONSTRAINT "runtime_setting_changes_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_code" ON "invitations" USING btree ("code");--> statement-breakpoint
CREATE INDEX "invitations_newest" ON "invitations" USING btree ("made_at","id");--> statement-breakpoint
CREATE INDEX "runtime_setting_changes_newest" ON "runtime_setting_changes" USING btree ("changed_at","id");--> statement-breakpoint
CREATE INDEX "runtime_setting_changes_actor" ON "runtime_setting_changes" USING btree ("actor_id");--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "registrations_invitation" ON "registrations" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at");
--> statement-breakpoint
CREATE FUNCTION refuse_setting_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of settings is only added to: % is refused', lower(TG_OP)
    USING ERRCODE = 'restrict_violation', TABLE = 'runtime_setting_changes';
END $$;--> statement-breakpoint
CREATE TRIGGER runtime_setting_changes_unchanged BEFORE UPDATE OR DELETE ON runtime_setting_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_setting_history_change();--> statement-breakpoint
CREATE TRIGGER runtime_setting_changes_not_truncated BEFORE TRUNCATE ON runtime_setting_changes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_setting_history_change();
