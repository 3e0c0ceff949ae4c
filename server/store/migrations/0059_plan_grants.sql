CREATE TABLE "complimentary_grants" (
	"plan_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"complimentary_id" uuid NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"opens_from" timestamp (3) with time zone,
	"is_included" boolean NOT NULL,
	CONSTRAINT "complimentary_grants_plan_id_user_id_complimentary_id_pk" PRIMARY KEY("plan_id","user_id","complimentary_id")
);
--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "settles_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "complimentary_grants" ADD CONSTRAINT "complimentary_grants_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complimentary_grants" ADD CONSTRAINT "complimentary_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complimentary_grants" ADD CONSTRAINT "complimentary_grants_complimentary_id_complimentary_memberships_id_fk" FOREIGN KEY ("complimentary_id") REFERENCES "public"."complimentary_memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "complimentary_grants_user" ON "complimentary_grants" USING btree ("user_id","plan_id");--> statement-breakpoint
CREATE INDEX "complimentary_grants_of" ON "complimentary_grants" USING btree ("complimentary_id");--> statement-breakpoint
-- Whoever ends a complimentary membership, also a server of the version before, ends what it opens.
CREATE FUNCTION end_complimentary_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE complimentary_grants SET ends_at = NEW.ends_at WHERE complimentary_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER complimentary_memberships_ended AFTER UPDATE OF ends_at ON complimentary_memberships
  FOR EACH ROW WHEN (OLD.ends_at IS DISTINCT FROM NEW.ends_at) EXECUTE FUNCTION end_complimentary_grants();
