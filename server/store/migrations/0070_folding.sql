ALTER TABLE "message_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "person_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "folding" smallint DEFAULT 1 NOT NULL;