CREATE TABLE "membership_days" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "membership_days_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" uuid NOT NULL,
	"day" date NOT NULL,
	"began" integer NOT NULL,
	"ended" integer NOT NULL,
	"is_folded" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payout_exports" ADD COLUMN "left_out" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD COLUMN "voided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payout_exports" ADD COLUMN "void_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "approved_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "membership_days_plan" ON "membership_days" USING btree ("plan_id","day");--> statement-breakpoint
CREATE INDEX "membership_days_new" ON "membership_days" USING btree ("plan_id","day") WHERE not "membership_days"."is_folded";--> statement-breakpoint
ALTER TABLE "payout_exports" ADD CONSTRAINT "payout_exports_void_reason_size" CHECK (octet_length("payout_exports"."void_reason") <= 3200);--> statement-breakpoint
ALTER TABLE "payout_exports" ADD CONSTRAINT "payout_exports_voided" CHECK ("payout_exports"."voided_at" is null or "payout_exports"."sealed" = '');--> statement-breakpoint
CREATE FUNCTION count_membership_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO membership_days (plan_id, day, began, ended)
      SELECT plan_id, day, sum(began), sum(ended) FROM (
        SELECT plan_id, (joined_at AT TIME ZONE 'Asia/Tokyo')::date AS day, 1 AS began, 0 AS ended FROM added
        UNION ALL SELECT plan_id, (ended_at AT TIME ZONE 'Asia/Tokyo')::date, 0, 1 FROM added WHERE ended_at IS NOT NULL) changes
      WHERE plan_id IS NOT NULL GROUP BY plan_id, day;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO membership_days (plan_id, day, began, ended)
      SELECT plan_id, day, sum(began), sum(ended) FROM (
        SELECT plan_id, (joined_at AT TIME ZONE 'Asia/Tokyo')::date AS day, 1 AS began, 0 AS ended FROM added
        UNION ALL SELECT plan_id, (ended_at AT TIME ZONE 'Asia/Tokyo')::date, 0, 1 FROM added WHERE ended_at IS NOT NULL
        UNION ALL SELECT plan_id, (joined_at AT TIME ZONE 'Asia/Tokyo')::date AS day, -1 AS began, 0 AS ended FROM removed
        UNION ALL SELECT plan_id, (ended_at AT TIME ZONE 'Asia/Tokyo')::date, 0, -1 FROM removed WHERE ended_at IS NOT NULL) changes
      WHERE plan_id IS NOT NULL GROUP BY plan_id, day HAVING sum(began) <> 0 OR sum(ended) <> 0;
  ELSE
    INSERT INTO membership_days (plan_id, day, began, ended)
      SELECT plan_id, day, sum(began), sum(ended) FROM (
        SELECT plan_id, (joined_at AT TIME ZONE 'Asia/Tokyo')::date AS day, -1 AS began, 0 AS ended FROM removed
        UNION ALL SELECT plan_id, (ended_at AT TIME ZONE 'Asia/Tokyo')::date, 0, -1 FROM removed WHERE ended_at IS NOT NULL) changes
      WHERE plan_id IS NOT NULL GROUP BY plan_id, day;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER membership_days_added AFTER INSERT ON memberships REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_membership_days();--> statement-breakpoint
CREATE TRIGGER membership_days_changed AFTER UPDATE ON memberships REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_membership_days();--> statement-breakpoint
CREATE TRIGGER membership_days_removed AFTER DELETE ON memberships REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_membership_days();--> statement-breakpoint
INSERT INTO membership_days (plan_id, day, began, ended, is_folded)
  SELECT plan_id, day, sum(began), sum(ended), true FROM (
    SELECT plan_id, (joined_at AT TIME ZONE 'Asia/Tokyo')::date AS day, 1 AS began, 0 AS ended FROM memberships
    UNION ALL SELECT plan_id, (ended_at AT TIME ZONE 'Asia/Tokyo')::date, 0, 1 FROM memberships WHERE ended_at IS NOT NULL) changes
  WHERE plan_id IS NOT NULL GROUP BY plan_id, day;
