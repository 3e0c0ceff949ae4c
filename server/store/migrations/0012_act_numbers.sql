CREATE TABLE "act_numbers" (
	"user_id" uuid NOT NULL,
	"about" text NOT NULL,
	"source" uuid NOT NULL,
	"number" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "act_numbers_user_id_about_source_pk" PRIMARY KEY("user_id","about","source")
);
--> statement-breakpoint
ALTER TABLE "act_numbers" ADD CONSTRAINT "act_numbers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "act_numbers_at" ON "act_numbers" USING btree ("at");