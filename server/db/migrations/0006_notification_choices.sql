CREATE TABLE "notification_choices" (
	"user_id" integer NOT NULL,
	"event" text NOT NULL,
	"channel" text NOT NULL,
	"wanted" boolean NOT NULL,
	CONSTRAINT "notification_choices_pkey" PRIMARY KEY("user_id","event","channel")
);
--> statement-breakpoint
ALTER TABLE "notification_choices" ADD CONSTRAINT "notification_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
