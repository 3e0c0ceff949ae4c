DROP INDEX "posts_released";--> statement-breakpoint
DROP INDEX "posts_author_released";--> statement-breakpoint
CREATE INDEX "posts_released" ON "posts" USING btree ("released_at","id") WHERE "posts"."released_at" is not null and "posts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "posts_author_released" ON "posts" USING btree ("author_id","released_at","id") WHERE "posts"."released_at" is not null and "posts"."deleted_at" is null;