CREATE TABLE "mqtt_slots" (
	"slot" integer PRIMARY KEY NOT NULL,
	"is_wanted" boolean NOT NULL,
	"subscribed_at" timestamp (3) with time zone
);
