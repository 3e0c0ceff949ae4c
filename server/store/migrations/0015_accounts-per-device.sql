CREATE TABLE "reset_refusals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remembered_devices" (
	"user_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "remembered_devices_user_id_device_id_pk" PRIMARY KEY("user_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "mail_codes" ADD COLUMN "request_hash" text;--> statement-breakpoint
ALTER TABLE "mail_codes" ADD COLUMN "asked" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "reset_refusals" ADD CONSTRAINT "reset_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_devices" ADD CONSTRAINT "remembered_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reset_refusals_until" ON "reset_refusals" USING btree ("until");--> statement-breakpoint
CREATE INDEX "remembered_devices_seen" ON "remembered_devices" USING btree ("seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_codes_request" ON "mail_codes" USING btree ("request_hash");