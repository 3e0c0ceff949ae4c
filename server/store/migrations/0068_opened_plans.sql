ALTER TABLE "payments" ADD COLUMN "opened_plans" uuid[];
