CREATE TABLE "object_removals" (
	"key" text PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "object_removals_key_size" CHECK (octet_length("object_removals"."key") <= 200)
);
--> statement-breakpoint
CREATE INDEX "object_removals_due" ON "object_removals" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "object_removals_owner" ON "object_removals" USING btree ("owner_id");