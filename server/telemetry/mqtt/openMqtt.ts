/** Opens the source of MQTT messages: the embedded broker on `MQTT_PORT`, or an external one at `MQTT_URL`. */
import type { Services } from '../../context/services';
import { openBroker } from './broker';
import { openBridge } from './openBridge';

/** Milliseconds before a port in use is retried. */
const retryDelay = 10_000;

export interface Mqtt {
  /** Whether the embedded broker accepted connections when it was opened. */
  isListening: boolean;
  stop(): Promise<void>;
}

export async function openMqtt(services: Services): Promise<Mqtt> {
  const { mqttUrl, mqttPort } = services.env;
  if (mqttUrl) return { isListening: false, stop: await openBridge(services, mqttUrl) };
  return mqttPort === 0 ? { isListening: false, stop: async () => undefined } : listen(services);
}

/**
 * Listens, and keeps retrying while another process uses the port, such as another server on the same database: the
 * rest of this server must work without MQTT.
 */
async function listen(services: Services): Promise<Mqtt> {
  const { mqttPort: port, host } = services.env;
  const { server, close } = await openBroker(services);
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    server.on('listening', resolve).on('error', (err) => {
      // A failed `accept`, for example for lack of memory, does not end listening.
      if (server.listening) return services.log.warn({ err, port }, 'an MQTT connection could not be accepted');
      services.log.warn({ err, port }, `MQTT cannot listen on port ${port}; it will be tried again`);
      timer = setTimeout(() => server.listen(port, host), retryDelay).unref();
      resolve();
    });
    server.listen(port, host);
  });
  const stop = async () => {
    clearTimeout(timer);
    await close();
  };
  return { isListening: server.listening, stop };
}
