/**
 * The default server (`npm start`: embedded database, demo and simulator) under the telemetry of a busy fleet, for
 * five seconds, or for a minute with `SWEEPLINE_TEST_WHOLE=yes`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoLogins } from '../../demo/seed/people';
import { runDeviceLoad } from '../support/runDeviceLoad';
import { type Server, startServer } from '../support/startServer';

const rate = 300;
const seconds = process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? 60 : 5;

let server: Server;
beforeAll(async () => {
  server = await startServer({
    fromSources: true,
    env: { SWEEPLINE_DEMO: '1', RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
  });
});
afterAll(() => server?.stop());

async function logIn(email = ''): Promise<Record<string, string>> {
  const password = demoLogins[0]?.password;
  const response = await fetch(`${server.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status).toBe(200);
  return { authorization: `Bearer ${((await response.json()) as { token: string }).token}` };
}

test('acknowledges 300 messages per second while pages are read and event streams are open', async () => {
  const sessions = await Promise.all(demoLogins.map(({ email }) => logIn(email)));
  const [admin = {}] = sessions;
  const trackers = await fetch(`${server.url}/api/v1/trackers?per_page=1000&filter[assigned]=1`, { headers: admin });
  const devices = ((await trackers.json()) as { data: { tracker_or_serial: string }[] }).data.map(
    (tracker) => tracker.tracker_or_serial,
  );
  expect(devices.length).toBeGreaterThan(500);

  const controller = new AbortController();
  const listeners = sessions.flatMap((headers) =>
    Array.from({ length: 5 }, async () => {
      const stream = await fetch(`${server.url}/api/v1/events`, { headers, signal: controller.signal });
      expect(stream.status).toBe(200);
      const reader = stream.body?.getReader();
      let bytes = 0;
      for (;;) {
        const chunk = await reader?.read().catch(() => undefined);
        if (!chunk?.value) return bytes;
        bytes += chunk.value.length;
      }
    }),
  );

  let isReading = true;
  const failureTexts: string[] = [];
  const pages = [
    'machines?per_page=25&include=type,fleet,location',
    'dashboard',
    'machines?filter[search]=AQ',
    'locations?sort=-id',
    'alerts',
  ];
  const pendingReads = Promise.all(
    sessions.map(async (headers) => {
      let responseCount = 0;
      for (; isReading; responseCount += 1) {
        const path = pages[responseCount % pages.length];
        const status = await fetch(`${server.url}/api/v1/${path}`, { headers }).then(
          async (response) => (await response.text()) && response.status,
          (error: Error) => error.message,
        );
        if (status !== 200 && status !== 403) failureTexts.push(`${path} ${status}`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return responseCount;
    }),
  );
  const { offered, acknowledged, failures } = await runDeviceLoad({ url: server.url, devices, rate, seconds });
  isReading = false;
  const readCounts = await pendingReads;
  controller.abort();
  const receivedCounts = await Promise.all(listeners);

  expect({ offered, acknowledged, failures, refused: failureTexts }).toEqual({
    offered: rate * seconds,
    acknowledged: rate * seconds,
    failures: {},
    refused: [],
  });
  expect(Math.min(...readCounts)).toBeGreaterThan(seconds / 2);
  expect(Math.max(...receivedCounts)).toBeGreaterThan(500 * seconds);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.output()).not.toMatch(/"level":[56]0/);
}, 600_000);
