ALTER TABLE "operator_tasks" ADD COLUMN "done_why" text;
