/**
 * `npm run simulate -- --machines 40 --for 60s --speed 10 --faults`: simulated devices for a server with the demo, over
 * the network and in every protocol.
 * Without `--for` it runs until Ctrl+C. Prints what it sent at the end.
 */
import { parseArgs } from 'node:util';
import { demoLogins } from '../seed/people';
import { faultNames } from './faults';
import { fleetOf, livelyOf } from './fleet';
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
  // `--faults` without a value means all of them.
  args: process.argv
    .slice(2)
    .flatMap((word, index, words) =>
      word === '--faults' && !/^[a-z]/.test(words[index + 1] ?? '') ? [`--faults=${faultNames.join(',')}`] : [word],
    ),
});

try {
  const options = readOptions(values);
  const { url, mqttUrl, machines } = options;
  // A small fleet reports often as a whole: otherwise a minute would show too little.
  const fleet = await fleetOf(
    { baseUrl: url, email: values.email, password: values.password },
    machines,
    machines > 100 ? livelyOf : 1,
  );
  console.log(`Speaking for ${fleet.length} machines to ${url}${mqttUrl ? ` and ${mqttUrl}` : ''}`);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  console.log(summaryOf(await simulate({ ...options, fleet, signal: ending.signal })));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
