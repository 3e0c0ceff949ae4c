CREATE TABLE "authority_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"made_by" uuid NOT NULL,
	"case_number" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"to_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"sealed" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "authority_exports_case_size" CHECK (octet_length("authority_exports"."case_number") <= 400),
	CONSTRAINT "authority_exports_sealed_size" CHECK (octet_length("authority_exports"."sealed") <= 200000000)
);
--> statement-breakpoint
ALTER TABLE "authority_exports" ADD CONSTRAINT "authority_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authority_exports" ADD CONSTRAINT "authority_exports_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authority_exports_user" ON "authority_exports" USING btree ("user_id","made_by","created_at");--> statement-breakpoint
CREATE INDEX "authority_exports_made_by" ON "authority_exports" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "authority_exports_expiry" ON "authority_exports" USING btree ("expires_at");