CREATE TABLE "message_search" (
	"user_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"is_own" boolean NOT NULL,
	"has_link" boolean NOT NULL,
	"grams" "tsvector" NOT NULL,
	"folded" text NOT NULL,
	CONSTRAINT "message_search_user_id_message_id_pk" PRIMARY KEY("user_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_search_grams" ON "message_search" USING gin ("grams") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "message_search_newest" ON "message_search" USING btree ("user_id","sent_at","message_id");--> statement-breakpoint
CREATE INDEX "message_search_place" ON "message_search" USING btree ("conversation_id","user_id","seq");--> statement-breakpoint
CREATE INDEX "message_search_message" ON "message_search" USING btree ("message_id");