DROP INDEX "message_search_place";--> statement-breakpoint
CREATE INDEX "message_search_conversation" ON "message_search" USING btree ("user_id","conversation_id","sent_at","message_id");--> statement-breakpoint
ALTER TABLE "message_search" DROP COLUMN "is_own";--> statement-breakpoint
ALTER TABLE "message_search" DROP COLUMN "has_link";--> statement-breakpoint
-- Entries without the new lexemes are written again at the start of a server.
DELETE FROM "message_search";
