#!/bin/sh
# First start of the primary: the role by which replicas follow, and from where. Addressed by the PG* variables.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" -d postgres <<'SQL'
create role replicator with replication login password :'password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql -v ON_ERROR_STOP=1 -d postgres -c 'select pg_reload_conf()'
