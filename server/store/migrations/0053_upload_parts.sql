CREATE TABLE "upload_parts" (
	"upload_id" uuid NOT NULL,
	"no" integer NOT NULL,
	"start" bigint NOT NULL,
	"size" integer NOT NULL,
	"etag" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "upload_parts_upload_id_no_pk" PRIMARY KEY("upload_id","no")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "stored_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "store_id" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "tail_size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;