DROP INDEX "cases_weight";--> statement-breakpoint
DROP INDEX "cases_kind_weight";--> statement-breakpoint
CREATE INDEX "cases_weight" ON "cases" USING btree ("state",(-"reports"),"since","id");--> statement-breakpoint
CREATE INDEX "cases_kind_weight" ON "cases" USING btree ("state","target_kind",(-"reports"),"since","id");