/** Counts messages of devices without a machine, per process. Every application in the process exposes the count. */
import { Counter } from 'prom-client';

export const unroutedMessages = new Counter({
  name: 'unrouted_messages_total',
  help: 'Messages of devices without a machine: rejected or, from an external MQTT broker, acknowledged and dropped.',
  labelNames: ['protocol'] as const,
  registers: [],
});
