CREATE INDEX "users_staff" ON "users" USING btree ("role") WHERE "users"."role" <> 'member';--> statement-breakpoint
CREATE INDEX "reports_owner" ON "reports" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "person_search_name" ON "person_search" USING btree ("name" text_pattern_ops);