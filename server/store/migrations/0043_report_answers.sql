ALTER TABLE "reports" DROP CONSTRAINT "reports_decided_by_users_id_fk";
--> statement-breakpoint
ALTER TABLE "reports" DROP COLUMN "decided_by";--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_answer_size" CHECK (octet_length("reports"."answer") <= 32000);