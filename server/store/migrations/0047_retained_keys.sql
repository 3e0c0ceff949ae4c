CREATE TABLE "retained_keys" (
	"fingerprint" text NOT NULL,
	"purpose" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "retained_keys_fingerprint_purpose_pk" PRIMARY KEY("fingerprint","purpose"),
	CONSTRAINT "retained_keys_fingerprint_size" CHECK (octet_length("retained_keys"."fingerprint") <= 16),
	CONSTRAINT "retained_keys_purpose_size" CHECK (octet_length("retained_keys"."purpose") <= 40),
	CONSTRAINT "retained_keys_sealed_size" CHECK (octet_length("retained_keys"."sealed") <= 200)
);
