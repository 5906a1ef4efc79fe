create trigger inbox_marks_writes after insert or update or delete or truncate on "inbox_marks" for each statement execute function count_write();
