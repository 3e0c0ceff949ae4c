ALTER TABLE "posts" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "introduction" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "open_grams" "tsvector";--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "open_folded" text;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_title_size" CHECK (octet_length("posts"."title") <= 960) NOT VALID;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_introduction_size" CHECK (octet_length("posts"."introduction") <= 3200) NOT VALID;