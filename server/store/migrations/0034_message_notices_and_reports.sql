CREATE TABLE "reported_messages" (
	"report_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"sender_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "reported_messages_report_id_seq_pk" PRIMARY KEY("report_id","seq"),
	CONSTRAINT "reported_messages_sealed_size" CHECK (octet_length("reported_messages"."sealed") <= 96000)
);
--> statement-breakpoint
ALTER TABLE "conversation_members" ADD COLUMN "pushed_seq" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation_members" ADD COLUMN "mailed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "conversation_members" ADD COLUMN "cleared_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "hidden_messages" ADD COLUMN "hidden_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "user_settings" ADD COLUMN "shows_message_text" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "reported_messages" ADD CONSTRAINT "reported_messages_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reported_messages" ADD CONSTRAINT "reported_messages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reported_messages_sender" ON "reported_messages" USING btree ("sender_id");