/** Metrics of the replicas that this process reads from, measured on each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { type ReplicaState, type Replicas, replicaOutcomes } from '../db/core/database';

export function registerReplicaMetrics(registry: Registry, replicas: Replicas): void {
  const registers = [registry];
  const gauges: { name: string; help: string; value: (state: ReplicaState) => number }[] = [
    {
      name: 'replica_up',
      help: 'Whether the replica answers and follows a primary: 1 or 0.',
      value: ({ isUp }) => Number(isUp),
    },
    {
      name: 'replica_lag_seconds',
      help: 'Age of the oldest commit that the replica has not replayed.',
      value: ({ lagSeconds }) => lagSeconds,
    },
    {
      name: 'replica_lag_bytes',
      help: 'Bytes of the write-ahead log that the replica has not replayed.',
      value: ({ lagBytes }) => lagBytes,
    },
  ];
  for (const { name, help, value } of gauges) {
    const gauge: Gauge<'replica'> = new Gauge({
      name,
      help,
      labelNames: ['replica'],
      registers,
      collect: () => {
        for (const state of replicas.states()) gauge.set({ replica: state.name }, value(state));
      },
    });
  }
  const readCounter: Counter<'outcome'> = new Counter({
    name: 'replica_reads_total',
    help: 'Reads that a replica may serve: served by it, or by the primary because it was late, away or failed.',
    labelNames: ['outcome'],
    registers,
    collect: () => {
      const outcomes = replicas.outcomes();
      readCounter.reset();
      for (const outcome of replicaOutcomes) readCounter.inc({ outcome }, outcomes[outcome]);
    },
  });
}
