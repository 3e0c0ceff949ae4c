ALTER TABLE "person_counts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "comment_counts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_counts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- Whatever changes a row of counts also makes it a later version (docs/decisions/123).
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER post_counts_version BEFORE UPDATE ON post_counts FOR EACH ROW EXECUTE FUNCTION count_version();--> statement-breakpoint
CREATE TRIGGER comment_counts_version BEFORE UPDATE ON comment_counts FOR EACH ROW EXECUTE FUNCTION count_version();--> statement-breakpoint
CREATE TRIGGER person_counts_version BEFORE UPDATE ON person_counts FOR EACH ROW EXECUTE FUNCTION count_version();
