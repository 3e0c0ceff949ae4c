CREATE TABLE "withdrawn_keys" (
	"author_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"withdrawn_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawn_keys_author_id_key_pk" PRIMARY KEY("author_id","key")
);
--> statement-breakpoint
ALTER TABLE "withdrawn_keys" ADD CONSTRAINT "withdrawn_keys_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawn_keys_at" ON "withdrawn_keys" USING btree ("withdrawn_at");