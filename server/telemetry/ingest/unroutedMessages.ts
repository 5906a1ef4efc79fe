/** Metrics of received messages in this process, shown by every application in it. */
import { Counter } from 'prom-client';

export const unroutedMessages = new Counter({
  name: 'unrouted_messages_total',
  help: 'Messages of devices that are on no machine: refused, or of an external MQTT broker acknowledged and dropped.',
  labelNames: ['protocol'] as const,
  registers: [],
});
