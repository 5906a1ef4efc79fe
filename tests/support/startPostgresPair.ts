/**
 * A PostgreSQL primary with a synchronous standby. Also does what a cluster manager such as Patroni does: promotes the
 * standby, gives the new primary a new standby, and lets commits pass while there is none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { executeOnServer } from './databases';
import { type Cluster, startCluster, startReplica } from './startCluster';

export interface PostgresPair {
  primary(): Cluster;
  replica(): Cluster;
  /** Sends SIGKILL to the primary and promotes the standby. */
  failOver(): Promise<void>;
  /** Gives the primary a new standby. */
  addReplica(): Promise<void>;
  /** Sends SIGKILL to the standby. Commits then wait for no standby. */
  killReplica(): Promise<void>;
  restartReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** A commit is acknowledged only after the standby has it; otherwise a promotion would lose it. */
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export async function startPostgresPair(): Promise<PostgresPair> {
  let primary = await startCluster({ isDurable: true });
  let replica = await startReplica(primary, durableSettings);
  const stoppedClusters: Cluster[] = [];

  const setSynchronousStandbys = async (standbys: '' | '*') => {
    await executeOnServer(primary.url, `alter system set synchronous_standby_names = '${standbys}'`);
    await executeOnServer(primary.url, 'select pg_reload_conf()');
  };
  const waitUntilSynchronous = async () => {
    while (!(await isStreaming(primary.url))) await sleep(50);
    await setSynchronousStandbys('*');
  };
  await waitUntilSynchronous();

  return {
    primary: () => primary,
    replica: () => replica,
    failOver: async () => {
      await primary.kill();
      stoppedClusters.push(primary);
      primary = replica;
      // The promoted server inherited the setting, but has no standby of its own yet.
      await setSynchronousStandbys('');
      await executeOnServer(primary.url, 'select pg_promote()');
    },
    addReplica: async () => {
      replica = await startReplica(primary, durableSettings);
      await waitUntilSynchronous();
      await stoppedClusters.pop()?.stop();
    },
    killReplica: async () => {
      await replica.kill();
      await setSynchronousStandbys('');
    },
    restartReplica: async () => {
      await replica.restart();
      await waitUntilSynchronous();
    },
    stop: async () => {
      for (const cluster of [replica, primary, ...stoppedClusters]) await cluster.stop();
    },
  };
}

async function isStreaming(url: string): Promise<boolean> {
  const reader = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const rows = await reader`select 1 from pg_stat_replication where state = 'streaming'`;
    return rows.length === 1;
  } finally {
    await reader.end();
  }
}
