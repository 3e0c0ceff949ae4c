CREATE TABLE "follows" (
	"follower_id" uuid NOT NULL,
	"followed_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "follows_follower_id_followed_id_pk" PRIMARY KEY("follower_id","followed_id")
);
--> statement-breakpoint
CREATE TABLE "mutes" (
	"muter_id" uuid NOT NULL,
	"muted_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mutes_muter_id_muted_id_pk" PRIMARY KEY("muter_id","muted_id")
);
--> statement-breakpoint
CREATE TABLE "person_counts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"followers" integer DEFAULT 0 NOT NULL,
	"following" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comment_counts" (
	"comment_id" uuid PRIMARY KEY NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"replies" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comment_likes" (
	"comment_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "comment_likes_comment_id_user_id_pk" PRIMARY KEY("comment_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"post_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"parent_id" uuid,
	"answers_id" uuid,
	"content" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"deleted_by" text
);
--> statement-breakpoint
CREATE TABLE "post_counts" (
	"post_id" uuid PRIMARY KEY NOT NULL,
	"likes" integer DEFAULT 0 NOT NULL,
	"comments" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_likes" (
	"post_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "post_likes_post_id_user_id_pk" PRIMARY KEY("post_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reporter_id" uuid,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"owner_id" uuid,
	"reason" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"quoted" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "handle" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "links" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plan_members" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "post_purchases" ADD COLUMN "revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "edited_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_users_id_fk" FOREIGN KEY ("follower_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_followed_id_users_id_fk" FOREIGN KEY ("followed_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_muter_id_users_id_fk" FOREIGN KEY ("muter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_muted_id_users_id_fk" FOREIGN KEY ("muted_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "person_counts" ADD CONSTRAINT "person_counts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_counts" ADD CONSTRAINT "comment_counts_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_likes" ADD CONSTRAINT "comment_likes_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_likes" ADD CONSTRAINT "comment_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_parent_id_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_answers_id_comments_id_fk" FOREIGN KEY ("answers_id") REFERENCES "public"."comments"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_counts" ADD CONSTRAINT "post_counts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_likes" ADD CONSTRAINT "post_likes_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_likes" ADD CONSTRAINT "post_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follows_followers" ON "follows" USING btree ("followed_id","created_at","follower_id");--> statement-breakpoint
CREATE INDEX "follows_following" ON "follows" USING btree ("follower_id","created_at","followed_id");--> statement-breakpoint
CREATE INDEX "mutes_muted" ON "mutes" USING btree ("muted_id");--> statement-breakpoint
CREATE INDEX "mutes_newest" ON "mutes" USING btree ("muter_id","created_at","muted_id");--> statement-breakpoint
CREATE INDEX "comment_likes_user" ON "comment_likes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "comments_post" ON "comments" USING btree ("post_id","parent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "comments_parent" ON "comments" USING btree ("parent_id","created_at","id");--> statement-breakpoint
CREATE INDEX "comments_author" ON "comments" USING btree ("author_id","created_at");--> statement-breakpoint
CREATE INDEX "comments_answers" ON "comments" USING btree ("answers_id");--> statement-breakpoint
CREATE INDEX "post_likes_user" ON "post_likes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_once" ON "reports" USING btree ("reporter_id","target_kind","target_id");--> statement-breakpoint
CREATE INDEX "reports_state" ON "reports" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "reports_target" ON "reports" USING btree ("target_kind","target_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_handle" ON "users" USING btree ("handle");--> statement-breakpoint
-- Counts beside the rows they count (docs/decisions/024): whatever adds or removes a row, a cascade too, changes them.
CREATE FUNCTION count_post_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_counts (post_id, likes)
      SELECT post_id, count(*) FROM added GROUP BY post_id ORDER BY post_id
      ON CONFLICT (post_id) DO UPDATE SET likes = post_counts.likes + excluded.likes;
  ELSE
    UPDATE post_counts c SET likes = c.likes - r.n
      FROM (SELECT post_id, count(*) AS n FROM removed GROUP BY post_id) r WHERE c.post_id = r.post_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER post_likes_added AFTER INSERT ON post_likes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_likes();--> statement-breakpoint
CREATE TRIGGER post_likes_removed AFTER DELETE ON post_likes REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_likes();--> statement-breakpoint
CREATE FUNCTION count_comment_likes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO comment_counts (comment_id, likes)
      SELECT comment_id, count(*) FROM added GROUP BY comment_id ORDER BY comment_id
      ON CONFLICT (comment_id) DO UPDATE SET likes = comment_counts.likes + excluded.likes;
  ELSE
    UPDATE comment_counts c SET likes = c.likes - r.n
      FROM (SELECT comment_id, count(*) AS n FROM removed GROUP BY comment_id) r WHERE c.comment_id = r.comment_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER comment_likes_added AFTER INSERT ON comment_likes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_comment_likes();--> statement-breakpoint
CREATE TRIGGER comment_likes_removed AFTER DELETE ON comment_likes REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_comment_likes();--> statement-breakpoint
CREATE FUNCTION count_comments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_counts (post_id, comments)
      SELECT post_id, count(*) FROM added WHERE deleted_at IS NULL GROUP BY post_id ORDER BY post_id
      ON CONFLICT (post_id) DO UPDATE SET comments = post_counts.comments + excluded.comments;
    INSERT INTO comment_counts (comment_id, replies)
      SELECT parent_id, count(*) FROM added WHERE deleted_at IS NULL AND parent_id IS NOT NULL
      GROUP BY parent_id ORDER BY parent_id
      ON CONFLICT (comment_id) DO UPDATE SET replies = comment_counts.replies + excluded.replies;
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE post_counts c SET comments = c.comments + r.n FROM (
      SELECT post_id, sum(n) AS n FROM (
        SELECT post_id, 1 AS n FROM added WHERE deleted_at IS NULL
        UNION ALL SELECT post_id, -1 FROM removed WHERE deleted_at IS NULL) both_sides
      GROUP BY post_id HAVING sum(n) <> 0) r WHERE c.post_id = r.post_id;
    UPDATE comment_counts c SET replies = c.replies + r.n FROM (
      SELECT parent_id, sum(n) AS n FROM (
        SELECT parent_id, 1 AS n FROM added WHERE deleted_at IS NULL
        UNION ALL SELECT parent_id, -1 FROM removed WHERE deleted_at IS NULL) both_sides
      WHERE parent_id IS NOT NULL GROUP BY parent_id HAVING sum(n) <> 0) r WHERE c.comment_id = r.parent_id;
  ELSE
    UPDATE post_counts c SET comments = c.comments - r.n
      FROM (SELECT post_id, count(*) AS n FROM removed WHERE deleted_at IS NULL GROUP BY post_id) r
      WHERE c.post_id = r.post_id;
    UPDATE comment_counts c SET replies = c.replies - r.n
      FROM (SELECT parent_id, count(*) AS n FROM removed
        WHERE deleted_at IS NULL AND parent_id IS NOT NULL GROUP BY parent_id) r
      WHERE c.comment_id = r.parent_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER comments_added AFTER INSERT ON comments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments();--> statement-breakpoint
CREATE TRIGGER comments_changed AFTER UPDATE ON comments REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments();--> statement-breakpoint
CREATE TRIGGER comments_removed AFTER DELETE ON comments REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_comments();--> statement-breakpoint
CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO person_counts (user_id, followers, following)
      SELECT user_id, sum(followers), sum(following) FROM (
        SELECT followed_id AS user_id, 1 AS followers, 0 AS following FROM added
        UNION ALL SELECT follower_id, 0, 1 FROM added) both_sides
      GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE SET followers = person_counts.followers + excluded.followers,
        following = person_counts.following + excluded.following;
  ELSE
    -- Locked in one order: two who leave each other at the same time do not wait for one another.
    PERFORM 1 FROM person_counts
      WHERE user_id IN (SELECT followed_id FROM removed UNION SELECT follower_id FROM removed)
      ORDER BY user_id FOR UPDATE;
    UPDATE person_counts c SET followers = c.followers - r.followers, following = c.following - r.following FROM (
      SELECT user_id, sum(followers) AS followers, sum(following) AS following FROM (
        SELECT followed_id AS user_id, 1 AS followers, 0 AS following FROM removed
        UNION ALL SELECT follower_id, 0, 1 FROM removed) both_sides
      GROUP BY user_id) r WHERE c.user_id = r.user_id;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER follows_added AFTER INSERT ON follows REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_follows();--> statement-breakpoint
CREATE TRIGGER follows_removed AFTER DELETE ON follows REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_follows();
