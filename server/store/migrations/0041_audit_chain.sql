DROP INDEX "audit_log_at";--> statement-breakpoint
DROP INDEX "audit_log_subject";--> statement-breakpoint
DROP INDEX "audit_log_actor";--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "seq" bigint;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_seq" ON "audit_log" USING btree ("seq");--> statement-breakpoint
CREATE INDEX "audit_log_actor_act" ON "audit_log" USING btree ("actor_id","act","at" DESC NULLS LAST,"seq" DESC NULLS FIRST,"subject_id");--> statement-breakpoint
CREATE INDEX "audit_log_act" ON "audit_log" USING btree ("act","at" DESC NULLS LAST,"seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_subject_act" ON "audit_log" USING btree ("subject_id","act","at" DESC NULLS LAST,"seq" DESC NULLS FIRST,"actor_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","seq");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_id","at" DESC NULLS LAST,"seq" DESC NULLS LAST,"actor_id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","at" DESC NULLS LAST,"seq" DESC NULLS LAST,"subject_id");
--> statement-breakpoint
-- Reasons are free text, which the log does not store; payouts and transfer files have them.
UPDATE audit_log SET detail = detail - 'reason' WHERE act LIKE 'payout.%' AND detail ? 'reason';--> statement-breakpoint
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Entries from before the chain get their number and hash once, at the first start.
  IF TG_OP = 'UPDATE' THEN
    IF OLD.seq IS NULL AND OLD.hash IS NULL AND NEW.seq IS NOT NULL AND NEW.hash IS NOT NULL
      AND (to_jsonb(NEW) - 'seq' - 'hash') = (to_jsonb(OLD) - 'seq' - 'hash') THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'INSERT' THEN
    IF NEW.seq IS NOT NULL AND NEW.hash IS NOT NULL THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is only added to: % is refused', lower(TG_OP)
    USING ERRCODE = 'restrict_violation', TABLE = 'audit_log';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_unchanged BEFORE INSERT OR UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();--> statement-breakpoint
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
