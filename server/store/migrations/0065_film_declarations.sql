CREATE TABLE "film_declarations" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"declared_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "film_declarations" ADD CONSTRAINT "film_declarations_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;