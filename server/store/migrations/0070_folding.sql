ALTER TABLE "message_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "person_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
-- A version that knows the column changes an entry with the negative number of its folding. A version before it leaves the number as it
-- was, although it folds as the first one does (docs/decisions/146).
CREATE FUNCTION folding_of_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folding := CASE WHEN NEW.folding < 0 THEN -NEW.folding ELSE 1 END;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER post_search_folding BEFORE UPDATE OF folded ON post_search FOR EACH ROW EXECUTE FUNCTION folding_of_writer();--> statement-breakpoint
CREATE TRIGGER person_search_folding BEFORE UPDATE OF folded ON person_search FOR EACH ROW EXECUTE FUNCTION folding_of_writer();
