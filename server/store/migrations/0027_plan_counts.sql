CREATE TABLE "plan_count_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plan_count_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" uuid NOT NULL,
	"members" integer NOT NULL,
	"monthly_yen" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "plan_count_changes_plan" ON "plan_count_changes" USING btree ("plan_id");--> statement-breakpoint
CREATE INDEX "plan_members_ending" ON "plan_members" USING btree ("plan_id","ends_at") WHERE "plan_members"."ends_at" is not null and not "plan_members"."is_included";--> statement-breakpoint
CREATE FUNCTION count_plan_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, count(*), 0 FROM added WHERE ends_at IS NULL AND NOT is_included GROUP BY plan_id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, sum(n), 0 FROM (
        SELECT plan_id, 1 AS n FROM added WHERE ends_at IS NULL AND NOT is_included
        UNION ALL SELECT plan_id, -1 FROM removed WHERE ends_at IS NULL AND NOT is_included) both_sides
      GROUP BY plan_id HAVING sum(n) <> 0;
  ELSE
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, -count(*), 0 FROM removed WHERE ends_at IS NULL AND NOT is_included GROUP BY plan_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER plan_members_added AFTER INSERT ON plan_members REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_members();--> statement-breakpoint
CREATE TRIGGER plan_members_changed AFTER UPDATE ON plan_members REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_members();--> statement-breakpoint
CREATE TRIGGER plan_members_removed AFTER DELETE ON plan_members REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_members();--> statement-breakpoint
CREATE FUNCTION count_plan_yen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, 0, sum(price) FROM added
      WHERE plan_id IS NOT NULL AND state IN ('active', 'past_due') GROUP BY plan_id;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, 0, sum(yen) FROM (
        SELECT plan_id, price AS yen FROM added WHERE state IN ('active', 'past_due')
        UNION ALL SELECT plan_id, -price FROM removed WHERE state IN ('active', 'past_due')) both_sides
      WHERE plan_id IS NOT NULL GROUP BY plan_id HAVING sum(yen) <> 0;
  ELSE
    INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
      SELECT plan_id, 0, -sum(price) FROM removed
      WHERE plan_id IS NOT NULL AND state IN ('active', 'past_due') GROUP BY plan_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER memberships_added AFTER INSERT ON memberships REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_yen();--> statement-breakpoint
CREATE TRIGGER memberships_changed AFTER UPDATE ON memberships REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_yen();--> statement-breakpoint
CREATE TRIGGER memberships_removed AFTER DELETE ON memberships REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plan_yen();--> statement-breakpoint
INSERT INTO plan_count_changes (plan_id, members, monthly_yen)
  SELECT plan_id, count(*), 0 FROM plan_members WHERE ends_at IS NULL AND NOT is_included GROUP BY plan_id
  UNION ALL
  SELECT plan_id, 0, sum(price) FROM memberships
  WHERE plan_id IS NOT NULL AND state IN ('active', 'past_due') GROUP BY plan_id;
