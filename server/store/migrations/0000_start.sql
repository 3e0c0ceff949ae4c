CREATE TABLE "media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"mime" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"width" integer,
	"height" integer,
	"duration" integer,
	"animated" boolean DEFAULT false NOT NULL,
	"made" jsonb NOT NULL,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"length" bigint,
	"metadata" jsonb NOT NULL,
	"digest" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	"expired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "user_pictures" (
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"media_id" uuid NOT NULL,
	CONSTRAINT "user_pictures_user_id_role_pk" PRIMARY KEY("user_id","role")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"name" text NOT NULL,
	"birth_date" date NOT NULL,
	"bio" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_members" (
	"plan_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "plan_members_plan_id_user_id_pk" PRIMARY KEY("plan_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"name" text NOT NULL,
	"price" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_media" (
	"post_id" uuid NOT NULL,
	"media_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_plans" (
	"post_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	CONSTRAINT "post_plans_post_id_plan_id_pk" PRIMARY KEY("post_id","plan_id")
);
--> statement-breakpoint
CREATE TABLE "post_purchases" (
	"post_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"price" integer NOT NULL,
	"bought_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "post_purchases_post_id_user_id_pk" PRIMARY KEY("post_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"author_id" uuid NOT NULL,
	"idempotency_key" uuid,
	"type" smallint NOT NULL,
	"content" text NOT NULL,
	"is_age_limited" boolean NOT NULL,
	"price" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_id_uploads_id_fk" FOREIGN KEY ("id") REFERENCES "public"."uploads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_members" ADD CONSTRAINT "plan_members_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_members" ADD CONSTRAINT "plan_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_media" ADD CONSTRAINT "post_media_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_media" ADD CONSTRAINT "post_media_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_plans" ADD CONSTRAINT "post_plans_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_plans" ADD CONSTRAINT "post_plans_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_purchases" ADD CONSTRAINT "post_purchases_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_purchases" ADD CONSTRAINT "post_purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_state" ON "media" USING btree ("state");--> statement-breakpoint
CREATE INDEX "uploads_owner" ON "uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "uploads_touched" ON "uploads" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "user_pictures_media" ON "user_pictures" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "plan_members_user" ON "plan_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "plans_creator" ON "plans" USING btree ("creator_id","price","id");--> statement-breakpoint
CREATE INDEX "post_media_post" ON "post_media" USING btree ("post_id","position");--> statement-breakpoint
CREATE INDEX "post_plans_plan" ON "post_plans" USING btree ("plan_id");--> statement-breakpoint
CREATE INDEX "post_purchases_user" ON "post_purchases" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "posts_author_key" ON "posts" USING btree ("author_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "posts_released" ON "posts" USING btree ("released_at","id");--> statement-breakpoint
CREATE INDEX "posts_author_released" ON "posts" USING btree ("author_id","released_at","id");