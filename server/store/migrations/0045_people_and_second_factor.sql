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
CREATE TABLE "account_recoveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"begun_by" uuid NOT NULL,
	"proof" text NOT NULL,
	"token_hash" text NOT NULL,
	"stop_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "passkey_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "authority_exports" ADD CONSTRAINT "authority_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authority_exports" ADD CONSTRAINT "authority_exports_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_recoveries" ADD CONSTRAINT "account_recoveries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_recoveries" ADD CONSTRAINT "account_recoveries_begun_by_users_id_fk" FOREIGN KEY ("begun_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authority_exports_user" ON "authority_exports" USING btree ("user_id","made_by","created_at");--> statement-breakpoint
CREATE INDEX "authority_exports_made_by" ON "authority_exports" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "authority_exports_expiry" ON "authority_exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_recoveries_user" ON "account_recoveries" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "account_recoveries_begun_by" ON "account_recoveries" USING btree ("begun_by");--> statement-breakpoint
CREATE INDEX "account_recoveries_due" ON "account_recoveries" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "account_recoveries_token" ON "account_recoveries" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "account_recoveries_stop" ON "account_recoveries" USING btree ("stop_hash");--> statement-breakpoint
CREATE INDEX "users_staff" ON "users" USING btree ("role") WHERE "users"."role" <> 'member';--> statement-breakpoint
CREATE INDEX "person_search_name" ON "person_search" USING btree ("name" text_pattern_ops);