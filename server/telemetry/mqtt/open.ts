/** Where MQTT messages come from: the embedded broker on `MQTT_PORT`, or an external one at `MQTT_URL`. */
import type { Services } from '../../services';
import { openBridge } from './bridge';
import { openBroker } from './broker';

/** Milliseconds until a port that is taken is tried again. */
const again = 10_000;

/** Begins; gives back how to stop. */
export async function openMqtt(services: Services): Promise<() => Promise<void>> {
  const { mqttUrl, mqttPort } = services.env;
  if (mqttUrl) return openBridge(services, mqttUrl);
  return mqttPort === 0 ? async () => undefined : listen(services);
}

/** A port that another process holds, another server of the same database perhaps, is no reason not to serve: it is tried again until it is free. */
async function listen(services: Services): Promise<() => Promise<void>> {
  const { mqttPort: port, host } = services.env;
  const { server, close } = await openBroker(services);
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    server.on('listening', resolve).on('error', (err) => {
      services.log.warn({ err, port }, `MQTT cannot listen on port ${port}; it will be tried again`);
      timer = setTimeout(() => server.listen(port, host), again).unref();
      resolve();
    });
    server.listen(port, host);
  });
  return async () => {
    clearTimeout(timer);
    await close();
  };
}
