CREATE TABLE "post_days" (
	"post_id" uuid NOT NULL,
	"day" date NOT NULL,
	"views" integer NOT NULL,
	"gates" integer NOT NULL,
	"watched" integer NOT NULL,
	CONSTRAINT "post_days_post_id_day_pk" PRIMARY KEY("post_id","day"),
	CONSTRAINT "post_days_few" CHECK (not ("post_days"."views" between 2 and 4 or "post_days"."gates" between 2 and 4 or "post_days"."watched" between 2 and 4))
);
--> statement-breakpoint
CREATE TABLE "post_readings" (
	"post_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "post_readings_post_id_day_kind_user_id_pk" PRIMARY KEY("post_id","day","kind","user_id")
);
--> statement-breakpoint
ALTER TABLE "post_days" ADD CONSTRAINT "post_days_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_readings" ADD CONSTRAINT "post_readings_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_readings" ADD CONSTRAINT "post_readings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_readings_day" ON "post_readings" USING btree ("day");--> statement-breakpoint
CREATE INDEX "post_readings_user" ON "post_readings" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "post_purchases_day" ON "post_purchases" USING btree ("post_id","bought_at");--> statement-breakpoint
CREATE INDEX "post_likes_day" ON "post_likes" USING btree ("post_id","created_at");