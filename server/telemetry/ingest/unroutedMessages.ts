/** Metric of messages received in this process; every application in the process exposes it. */
import { Counter } from 'prom-client';

export const unroutedMessages = new Counter({
  name: 'unrouted_messages_total',
  help: 'Messages of devices without a machine: rejected or, from an external MQTT broker, acknowledged and dropped.',
  labelNames: ['protocol'] as const,
  registers: [],
});
