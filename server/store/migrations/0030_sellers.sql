CREATE TABLE "seller_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" uuid NOT NULL,
	"requester_id" uuid,
	"reason" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"reminded_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"answer" text,
	"answered_by" text,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "seller_requests_reason_size" CHECK (octet_length("seller_requests"."reason") <= 8000),
	CONSTRAINT "seller_requests_note_size" CHECK (octet_length("seller_requests"."note") <= 8000)
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"display" text NOT NULL,
	"sealed" text NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sellers_sealed_size" CHECK (octet_length("sellers"."sealed") <= 10000)
);
--> statement-breakpoint
ALTER TABLE "seller_requests" ADD CONSTRAINT "seller_requests_creator_id_users_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_requests" ADD CONSTRAINT "seller_requests_requester_id_users_id_fk" FOREIGN KEY ("requester_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "seller_requests_creator" ON "seller_requests" USING btree ("creator_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "seller_requests_requester" ON "seller_requests" USING btree ("requester_id","creator_id","requested_at");--> statement-breakpoint
CREATE INDEX "seller_requests_due" ON "seller_requests" USING btree ("answered_at","due_at");--> statement-breakpoint
CREATE INDEX "seller_requests_at" ON "seller_requests" USING btree ("requested_at");