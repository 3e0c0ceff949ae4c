CREATE TABLE "inquiries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "inquiries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"outcome" text,
	"sealed" text,
	"sender_id" uuid,
	"target_kind" text,
	"target_id" uuid,
	"owner_id" uuid,
	"may_tell_name" boolean NOT NULL,
	"report_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"taken_by" uuid,
	"taken_until" timestamp (3) with time zone,
	"opinion" text,
	"opinion_due_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"decision_id" uuid,
	CONSTRAINT "inquiries_sealed_size" CHECK (octet_length("inquiries"."sealed") <= 288000)
);
--> statement-breakpoint
CREATE TABLE "inquiry_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"inquiry_id" uuid NOT NULL,
	"act" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid,
	"sealed" text,
	CONSTRAINT "inquiry_events_sealed_size" CHECK (octet_length("inquiry_events"."sealed") <= 96000)
);
--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_taken_by_users_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiries" ADD CONSTRAINT "inquiries_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_events" ADD CONSTRAINT "inquiry_events_inquiry_id_inquiries_id_fk" FOREIGN KEY ("inquiry_id") REFERENCES "public"."inquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inquiry_events" ADD CONSTRAINT "inquiry_events_staff_id_users_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inquiries_due" ON "inquiries" USING btree ("state","due_at","id");--> statement-breakpoint
CREATE INDEX "inquiries_decided" ON "inquiries" USING btree ("state","decided_at","id");--> statement-breakpoint
CREATE INDEX "inquiries_created" ON "inquiries" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "inquiries_sender" ON "inquiries" USING btree ("sender_id");--> statement-breakpoint
CREATE INDEX "inquiries_owner" ON "inquiries" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "inquiries_report" ON "inquiries" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "inquiries_decision" ON "inquiries" USING btree ("decision_id");--> statement-breakpoint
CREATE INDEX "inquiry_events_inquiry" ON "inquiry_events" USING btree ("inquiry_id","at","id");