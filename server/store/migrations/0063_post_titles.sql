CREATE TABLE "post_versions" (
	"post_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"replaced_at" timestamp (3) with time zone NOT NULL,
	"content" text NOT NULL,
	"title" text NOT NULL,
	"introduction" text NOT NULL,
	CONSTRAINT "post_versions_post_id_replaced_at_pk" PRIMARY KEY("post_id","replaced_at"),
	CONSTRAINT "post_versions_content_size" CHECK (octet_length("post_versions"."content") <= 262144),
	CONSTRAINT "post_versions_title_size" CHECK (octet_length("post_versions"."title") <= 960),
	CONSTRAINT "post_versions_introduction_size" CHECK (octet_length("post_versions"."introduction") <= 3200)
);
--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "introduction" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "open_grams" "tsvector";--> statement-breakpoint
ALTER TABLE "post_search" ADD COLUMN "open_folded" text;--> statement-breakpoint
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_versions" ADD CONSTRAINT "post_versions_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_versions_author" ON "post_versions" USING btree ("author_id");--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_title_size" CHECK (octet_length("posts"."title") <= 960) NOT VALID;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_introduction_size" CHECK (octet_length("posts"."introduction") <= 3200) NOT VALID;