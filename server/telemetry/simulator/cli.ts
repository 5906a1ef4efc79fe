/** `npm run simulate -- --url http://127.0.0.1:8080 --machines 500 --mqtt mqtt://127.0.0.1:1883`: devices for a server that holds the demo. Ends with Ctrl+C. */
import { parseArgs } from 'node:util';
import { startSimulator } from './simulator';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    machines: { type: 'string', default: '2000' },
    mqtt: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
  },
});
const { email, password } = values;
const stop = startSimulator({
  baseUrl: values.url.replace(/\/+$/, ''),
  machines: Number(values.machines),
  ...(values.mqtt && { mqttUrl: values.mqtt }),
  ...(email && password && { email, password }),
  log: { warn: (details, message) => console.error(message, details) },
});
const alive = setInterval(() => undefined, 60_000);
console.log(`Reporting for up to ${values.machines} machines to ${values.url}`);
process.once('SIGINT', () => {
  clearInterval(alive);
  void stop();
});
