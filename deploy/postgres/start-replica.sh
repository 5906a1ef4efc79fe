#!/bin/sh
# Starts a replica: copies the primary first, if there is nothing yet. Further arguments go to postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # An interrupted copy is begun again.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup -h "$PRIMARY_HOST" -p "$PRIMARY_PORT" -U replicator -D "$PGDATA" -R -X stream --checkpoint=fast
  chmod 700 "$PGDATA"
fi
exec postgres -D "$PGDATA" -c hot_standby=on -c hot_standby_feedback=on "$@"
