CREATE TABLE "person_search" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"grams" "tsvector" NOT NULL,
	"folded" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_search" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	"grams" "tsvector" NOT NULL,
	"folded" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "searched_words" (
	"word" text NOT NULL,
	"searcher" text NOT NULL,
	"written" text NOT NULL,
	"searched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "searched_words_word_searcher_pk" PRIMARY KEY("word","searcher")
);
--> statement-breakpoint
ALTER TABLE "person_search" ADD CONSTRAINT "person_search_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_search" ADD CONSTRAINT "post_search_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "person_search_grams" ON "person_search" USING gin ("grams") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "post_search_grams" ON "post_search" USING gin ("grams") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "post_search_newest" ON "post_search" USING btree ("released_at","post_id");--> statement-breakpoint
CREATE INDEX "searched_words_age" ON "searched_words" USING btree ("searched_at");