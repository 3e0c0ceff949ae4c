-- Whoever was a member before there was this choice goes on seeing what they saw; later members choose.
INSERT INTO "user_settings" ("user_id", "message_from", "shows_age_limited", "updated_at")
SELECT "id", 'everyone', true, now() FROM "users"
ON CONFLICT ("user_id") DO NOTHING;
