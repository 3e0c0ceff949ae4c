CREATE TABLE "media_hashes" (
	"media_id" uuid PRIMARY KEY NOT NULL,
	"picture" bit(64)
);
--> statement-breakpoint
CREATE TABLE "removed_media" (
	"media_id" uuid PRIMARY KEY NOT NULL,
	"post_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"picture" bit(64),
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"owner_id" uuid,
	"reviewer" text NOT NULL,
	"creator_id" uuid,
	"reason" text NOT NULL,
	"word" text NOT NULL,
	"word_id" uuid,
	"distance" integer,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "holds_word_size" CHECK (octet_length("holds"."word") <= 800)
);
--> statement-breakpoint
CREATE TABLE "blocked_words" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"word" text NOT NULL,
	"folded" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"added_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blocked_words_word_size" CHECK (octet_length("blocked_words"."word") <= 800),
	CONSTRAINT "blocked_words_folded_size" CHECK (octet_length("blocked_words"."folded") <= 400),
	CONSTRAINT "blocked_words_note_size" CHECK (octet_length("blocked_words"."note") <= 3200)
);
--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media_hashes" ADD CONSTRAINT "media_hashes_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_word_id_blocked_words_id_fk" FOREIGN KEY ("word_id") REFERENCES "public"."blocked_words"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_words" ADD CONSTRAINT "blocked_words_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_words" ADD CONSTRAINT "blocked_words_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_media_digest" ON "removed_media" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "removed_media_post" ON "removed_media" USING btree ("post_id");--> statement-breakpoint
CREATE UNIQUE INDEX "holds_open" ON "holds" USING btree ("target_kind","target_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "holds_target" ON "holds" USING btree ("target_kind","target_id","created_at");--> statement-breakpoint
CREATE INDEX "holds_owner" ON "holds" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "holds_word" ON "holds" USING btree ("word_id");--> statement-breakpoint
CREATE INDEX "holds_creator" ON "holds" USING btree ("creator_id","state","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "blocked_words_once" ON "blocked_words" USING btree ("owner_id","folded");--> statement-breakpoint
CREATE UNIQUE INDEX "blocked_words_operator" ON "blocked_words" USING btree ("folded") WHERE owner_id is null;--> statement-breakpoint
CREATE INDEX "blocked_words_added_by" ON "blocked_words" USING btree ("added_by");