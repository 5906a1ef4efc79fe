/**
 * `npm run simulate -- --machines 40 --for 60s --speed 10 --faults`: simulates devices for a server with the demo, over
 * the network and with every protocol. Without `--for`, runs until Ctrl+C. Finally prints what it sent.
 */
import { parseArgs } from 'node:util';
import { demoLogins } from '../seed/people';
import { faultNames } from './faults';
import { fetchFleet, machinesPerFrequentReporter } from './fleet';
import { readOptions } from './readOptions';
import { simulate } from './simulate';
import { summaryOf } from './summaryOf';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    'mqtt-url': { type: 'string' },
    machines: { type: 'string', default: '200' },
    for: { type: 'string' },
    speed: { type: 'string', default: '1' },
    until: { type: 'string' },
    seed: { type: 'string', default: '7' },
    faults: { type: 'string' },
    email: { type: 'string', default: demoLogins[0]?.email ?? '' },
    password: { type: 'string', default: demoLogins[0]?.password ?? '' },
  },
  // `--faults` without a value stands for all faults.
  args: process.argv
    .slice(2)
    .flatMap((word, index, words) =>
      word === '--faults' && !/^[a-z]/.test(words[index + 1] ?? '') ? [`--faults=${faultNames.join(',')}`] : [word],
    ),
});

try {
  const options = readOptions(values);
  const { url, mqttUrl, machines } = options;
  // All machines of a small fleet report often; otherwise a minute would show too little.
  const fleet = await fetchFleet(
    { baseUrl: url, email: values.email, password: values.password },
    machines,
    machines > 100 ? machinesPerFrequentReporter : 1,
  );
  console.log(`Simulating ${fleet.length} machines for ${url}${mqttUrl ? ` and ${mqttUrl}` : ''}`);
  const abortController = new AbortController();
  process.once('SIGINT', () => abortController.abort());
  console.log(summaryOf(await simulate({ ...options, fleet, signal: abortController.signal })));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
