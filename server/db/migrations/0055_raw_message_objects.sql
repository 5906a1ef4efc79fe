CREATE TABLE "raw_message_objects" (
	"object_key" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"machine_from" integer,
	"machine_to" integer,
	"received_from" timestamp (3) with time zone NOT NULL,
	"received_to" timestamp (3) with time zone NOT NULL,
	"messages" integer NOT NULL,
	"size" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "raw_message_objects_machine" ON "raw_message_objects" USING btree ("machine_to","machine_from");
--> statement-breakpoint
CREATE INDEX "raw_message_objects_received_to" ON "raw_message_objects" USING btree ("received_to");
--> statement-breakpoint
create trigger raw_message_objects_object_delete after delete on raw_message_objects for each row
  when (old.object_key is not null) execute function remove_object();
--> statement-breakpoint
create trigger raw_message_objects_object_update after update on raw_message_objects for each row
  when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function remove_object();
