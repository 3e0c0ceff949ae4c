CREATE TABLE "server_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"fingerprint" text NOT NULL,
	CONSTRAINT "server_keys_name_size" CHECK (octet_length("server_keys"."name") <= 16),
	CONSTRAINT "server_keys_fingerprint_size" CHECK (octet_length("server_keys"."fingerprint") <= 16)
);
