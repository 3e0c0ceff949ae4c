ALTER TABLE "deletions" ADD CONSTRAINT "deletions_note_size" CHECK (octet_length("deletions"."note") <= 8000) NOT VALID;--> statement-breakpoint
ALTER TABLE "mail_codes" ADD CONSTRAINT "mail_codes_email_size" CHECK (octet_length("mail_codes"."email") <= 254) NOT VALID;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_name_size" CHECK (octet_length("registrations"."name") <= 800) NOT VALID;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_email_size" CHECK (octet_length("registrations"."email") <= 254) NOT VALID;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_device_size" CHECK (octet_length("known_devices"."device") <= 2400) NOT VALID;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_endpoint_size" CHECK (octet_length("push_subscriptions"."endpoint") <= 6144) NOT VALID;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_p256dh_size" CHECK (octet_length("push_subscriptions"."p256dh") <= 87) NOT VALID;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_auth_size" CHECK (octet_length("push_subscriptions"."auth") <= 22) NOT VALID;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_device_size" CHECK (octet_length("sessions"."device") <= 1200) NOT VALID;--> statement-breakpoint
ALTER TABLE "post_media" ADD CONSTRAINT "post_media_alt_size" CHECK (octet_length("post_media"."alt") <= 16000) NOT VALID;--> statement-breakpoint
ALTER TABLE "searched_words" ADD CONSTRAINT "searched_words_written_size" CHECK (octet_length("searched_words"."written") <= 1600) NOT VALID;--> statement-breakpoint
ALTER TABLE "user_details" ADD CONSTRAINT "user_details_legal_name_size" CHECK (octet_length("user_details"."legal_name") <= 800) NOT VALID;--> statement-breakpoint
ALTER TABLE "user_details" ADD CONSTRAINT "user_details_legal_name_kana_size" CHECK (octet_length("user_details"."legal_name_kana") <= 300) NOT VALID;--> statement-breakpoint
-- Rows of these tables change in other columns too, and a check constraint, NOT VALID or not, would refuse that for a row
-- from before it. A trigger looks at new text alone: an older row stays as it is and can be released, hidden, counted.
CREATE FUNCTION refuse_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new text of table "%" violates "%"', TG_TABLE_NAME, TG_ARGV[0]
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END $$;--> statement-breakpoint
-- Nine marks of the blocks of combining marks: the full rule, which knows all of Unicode, is textProblem of the contract.
CREATE FUNCTION has_stacked_marks(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT $1 ~ '[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f]{9}'
$$;--> statement-breakpoint
-- Controls, line and paragraph separators, bidi embeddings, overrides and isolates.
CREATE FUNCTION has_controls(text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT $1 ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]'
$$;--> statement-breakpoint
CREATE TRIGGER posts_content_size BEFORE INSERT OR UPDATE OF content ON posts FOR EACH ROW
  WHEN (octet_length(NEW.content) > 160000 OR has_stacked_marks(NEW.content)) EXECUTE FUNCTION refuse_text('posts_content_size');--> statement-breakpoint
CREATE TRIGGER comments_content_size BEFORE INSERT OR UPDATE OF content ON comments FOR EACH ROW
  WHEN (octet_length(NEW.content) > 16000 OR has_stacked_marks(NEW.content)) EXECUTE FUNCTION refuse_text('comments_content_size');--> statement-breakpoint
CREATE TRIGGER users_name_size BEFORE INSERT OR UPDATE OF name ON users FOR EACH ROW
  WHEN (octet_length(NEW.name) > 800 OR has_stacked_marks(NEW.name)) EXECUTE FUNCTION refuse_text('users_name_size');--> statement-breakpoint
CREATE TRIGGER users_bio_size BEFORE INSERT OR UPDATE OF bio ON users FOR EACH ROW
  WHEN (octet_length(NEW.bio) > 6400 OR has_stacked_marks(NEW.bio)) EXECUTE FUNCTION refuse_text('users_bio_size');--> statement-breakpoint
CREATE TRIGGER reports_detail_size BEFORE INSERT OR UPDATE OF detail ON reports FOR EACH ROW
  WHEN (octet_length(NEW.detail) > 16000 OR has_stacked_marks(NEW.detail)) EXECUTE FUNCTION refuse_text('reports_detail_size');--> statement-breakpoint
CREATE TRIGGER passkeys_name_size BEFORE INSERT OR UPDATE OF name ON passkeys FOR EACH ROW
  WHEN (octet_length(NEW.name) > 800 OR has_stacked_marks(NEW.name)) EXECUTE FUNCTION refuse_text('passkeys_name_size');--> statement-breakpoint
CREATE TRIGGER plans_name_size BEFORE INSERT OR UPDATE OF name ON plans FOR EACH ROW
  WHEN (octet_length(NEW.name) > 800 OR has_stacked_marks(NEW.name)) EXECUTE FUNCTION refuse_text('plans_name_size');--> statement-breakpoint
CREATE TRIGGER identity_checks_note_size BEFORE INSERT OR UPDATE OF note ON identity_checks FOR EACH ROW
  WHEN (octet_length(NEW.note) > 8000 OR has_stacked_marks(NEW.note)) EXECUTE FUNCTION refuse_text('identity_checks_note_size');--> statement-breakpoint
CREATE TRIGGER users_name_characters BEFORE INSERT OR UPDATE OF name ON users FOR EACH ROW
  WHEN (has_controls(NEW.name)) EXECUTE FUNCTION refuse_text('users_name_characters');--> statement-breakpoint
CREATE TRIGGER plans_name_characters BEFORE INSERT OR UPDATE OF name ON plans FOR EACH ROW
  WHEN (has_controls(NEW.name)) EXECUTE FUNCTION refuse_text('plans_name_characters');--> statement-breakpoint
CREATE TRIGGER passkeys_name_characters BEFORE INSERT OR UPDATE OF name ON passkeys FOR EACH ROW
  WHEN (has_controls(NEW.name)) EXECUTE FUNCTION refuse_text('passkeys_name_characters');--> statement-breakpoint
CREATE TRIGGER users_handle_characters BEFORE INSERT OR UPDATE OF handle ON users FOR EACH ROW
  WHEN (NEW.handle !~ '^[a-z0-9_]{3,20}$') EXECUTE FUNCTION refuse_text('users_handle_characters');--> statement-breakpoint
CREATE TRIGGER users_email_size BEFORE INSERT OR UPDATE OF email ON users FOR EACH ROW
  WHEN (octet_length(NEW.email) > 254) EXECUTE FUNCTION refuse_text('users_email_size');--> statement-breakpoint
CREATE TRIGGER users_links_size BEFORE INSERT OR UPDATE OF links ON users FOR EACH ROW
  WHEN (octet_length(NEW.links::text) > 32768) EXECUTE FUNCTION refuse_text('users_links_size');--> statement-breakpoint
CREATE TRIGGER notices_title_size BEFORE INSERT OR UPDATE OF title ON notices FOR EACH ROW
  WHEN (octet_length(NEW.title) > 3200) EXECUTE FUNCTION refuse_text('notices_title_size');--> statement-breakpoint
CREATE TRIGGER notices_body_size BEFORE INSERT OR UPDATE OF body ON notices FOR EACH ROW
  WHEN (octet_length(NEW.body) > 160000) EXECUTE FUNCTION refuse_text('notices_body_size');--> statement-breakpoint
CREATE TRIGGER uploads_metadata_size BEFORE INSERT OR UPDATE OF metadata ON uploads FOR EACH ROW
  WHEN (octet_length(NEW.metadata::text) > 131072) EXECUTE FUNCTION refuse_text('uploads_metadata_size');--> statement-breakpoint
CREATE TRIGGER reports_quoted_size BEFORE INSERT OR UPDATE OF quoted ON reports FOR EACH ROW
  WHEN (octet_length(NEW.quoted::text) > 1048576) EXECUTE FUNCTION refuse_text('reports_quoted_size');
