/**
 * Faults under load: two processes, a primary with a synchronous standby, Mosquitto, and devices over HTTP and MQTT
 * that send again what was not acknowledged. `SWEEPLINE_TEST_WHOLE=yes` repeats each fault ten times. Stored rows are
 * counted by a separate reader of the database. Times are measured from the fault, or from the restart of a component
 * that has no substitute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultLoad, type SentMessage, sendUntilAcknowledged, startFaultLoad } from '../support/faultLoad';
import { type FaultSetup, startFaultSetup } from '../support/startFaultSetup';
import { countStored, findMissing, readAlerts } from '../support/storedMessages';

const rounds = process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? 10 : 1;
const testTimeout = rounds * 90_000;
let setup: FaultSetup;
const loads: FaultLoad[] = [];
let injectedFaults = 0;

/** Processes that must acknowledge messages before the service counts as restored. */
const bothProcesses = [0, 1] as const;

interface Fault {
  name: string;
  /** Injects the fault. Resolves to the milliseconds that `awaitRecovery` measures once the service is restored. */
  inject(awaitRecovery: (waitingFor: readonly (0 | 1)[]) => Promise<number>): Promise<number>;
}

const faults: Fault[] = [
  ...bothProcesses.map((process): Fault => {
    const otherProcess = process === 0 ? 1 : 0;
    return {
      name: `kill -9 of process ${process + 1}`,
      async inject(awaitRecovery) {
        await setup.kill(process);
        const recoveryTime = await awaitRecovery([otherProcess]);
        await setup.restart(process);
        await awaitRecovery(bothProcesses);
        return recoveryTime;
      },
    };
  }),
  {
    name: 'kill -9 of the broker',
    async inject(awaitRecovery) {
      // Produces messages that the broker has acknowledged but no process has received. Mosquitto does not save these
      // by itself.
      setup.setBrokerLinks('stalled');
      await sleep(200);
      const release = await (loads.at(-1) as FaultLoad).pauseMqtt();
      await setup.broker.save();
      await setup.broker.kill();
      setup.setBrokerLinks('dropped');
      setup.setBrokerLinks('open');
      const outputBefore = setup.broker.output().length;
      await setup.broker.restart();
      // Mosquitto 2.0.11 does not restore shared subscriptions: until the slots subscribe again, it acknowledges
      // messages that nobody receives.
      const countSubscriptions = () =>
        setup.broker
          .output()
          .slice(outputBefore)
          .match(/Sending SUBACK to sweepline-\w+-\d/g)?.length;
      while (countSubscriptions() !== 4) await sleep(5);
      release();
      return awaitRecovery(bothProcesses);
    },
  },
  {
    name: 'kill -9 of the primary, promotion of the standby',
    async inject(awaitRecovery) {
      const failover = setup.pair.failOver();
      const recoveryTime = await awaitRecovery(bothProcesses);
      await failover;
      await setup.pair.addReplica();
      setup.pointLinks();
      return recoveryTime;
    },
  },
  {
    name: 'kill -9 of the replica',
    async inject(awaitRecovery) {
      const kill = setup.pair.killReplica();
      const recoveryTime = await awaitRecovery(bothProcesses);
      await kill;
      await setup.pair.restartReplica();
      return recoveryTime;
    },
  },
  {
    name: 'process 1 cut off, its connections hang',
    async inject(awaitRecovery) {
      setup.setLinks(0, 'stalled');
      const recoveryTime = await awaitRecovery([1]);
      setup.setLinks(0, 'open');
      await awaitRecovery(bothProcesses);
      return recoveryTime;
    },
  },
  {
    name: 'process 2 cut off, its connections are reset',
    async inject(awaitRecovery) {
      setup.setLinks(1, 'dropped');
      const recoveryTime = await awaitRecovery([0]);
      setup.setLinks(1, 'open');
      await awaitRecovery(bothProcesses);
      return recoveryTime;
    },
  },
];

beforeAll(async () => {
  setup = await startFaultSetup(faults.length * rounds);
}, 120_000);
afterAll(async () => {
  await setup?.stop();
});

/**
 * Milliseconds from `from` until each of these processes has acknowledged a message sent after it, each device has had
 * a message acknowledged, and all messages that the broker has acknowledged so far are stored.
 */
async function measureRecovery({ sentOverHttp, sentOverMqtt }: FaultLoad, from: number, processes: readonly (0 | 1)[]) {
  const isAnswered = ({ at, acknowledgedAt }: SentMessage) => at >= from && acknowledgedAt !== undefined;
  /** Time at which all other conditions were met. */
  let restoredAt: number | undefined;
  /** The first unmet condition in words; `undefined` if all are met. */
  const findUnmetCondition = async (): Promise<string | undefined> => {
    const [http, mqtt] = [sentOverHttp.filter(isAnswered), sentOverMqtt.filter(isAnswered)];
    const senders = new Set([...http, ...mqtt].map(({ machine }) => machine));
    const devices = setup.httpDevices.length + setup.mqttDevices.length;
    if (senders.size < devices) return `${senders.size} of ${devices} devices were answered`;
    const silentProcesses = processes.filter(
      (process) => !http.some((message) => message.acknowledgedBy === setup.urls[process]),
    );
    if (silentProcesses.length > 0)
      return `process ${silentProcesses.map((process) => process + 1)} acknowledged nothing`;
    restoredAt ??= Date.now();
    const isDue = ({ at, acknowledgedAt = Number.POSITIVE_INFINITY }: SentMessage) =>
      at >= from - 5000 && acknowledgedAt <= (restoredAt as number);
    const dueMessages = sentOverMqtt.filter(isDue);
    const missingMessages = await findMissing(setup.pair.primary().url, dueMessages).catch(() => undefined);
    if (!missingMessages) return 'the database does not answer';
    const times = missingMessages.map(({ at }) => at - from);
    if (missingMessages.length > 0)
      return `${missingMessages.length} of ${dueMessages.length} are not stored, sent at ${times.slice(0, 20)}`;
  };
  for (let problem = await findUnmetCondition(); problem; problem = await findUnmetCondition()) {
    if (Date.now() - from > 40_000) throw new Error(`After 40 s ${problem}.\n${setup.output().slice(-4000)}`);
    await sleep(20);
  }
  return Date.now() - from;
}

test.each(faults)('$name: nothing acknowledged is lost or counted twice', { timeout: testTimeout }, async ({
  name,
  inject,
}) => {
  const load = startFaultLoad({ ...setup, brokerPort: setup.broker.port });
  loads.push(load);
  const recoveryTimes: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await measureRecovery(load, Date.now(), bothProcesses);
      // A random time within the second between two evaluations of the rules.
      await sleep(Math.random() * 700);
      const alert = setup.alerts[injectedFaults++];
      const alertMessage = sendUntilAcknowledged(setup.urls, {
        id: alert?.device.id ?? '',
        timestamp: String(Date.now()),
        status: 'online',
        error: 'E-7',
      });
      // Measured from the fault; for some faults from their end.
      let from: number | undefined = Date.now();
      const recoveryTime = await inject((processes) => {
        const start = from ?? Date.now();
        from = undefined;
        return measureRecovery(load, start, processes);
      });
      recoveryTimes.push(recoveryTime);
      await alertMessage;
    }
  } finally {
    await load.stop();
  }
  const { url } = setup.pair.primary();
  await expect.poll(() => findMissing(url, [...load.sentOverHttp, ...load.sentOverMqtt])).toEqual([]);
  const counts = await countStored(url, loads);
  recoveryTimes.sort((a, b) => a - b);
  console.info(
    `${name}: ${rounds} times, ${load.sentOverHttp.length} messages by HTTP, ${load.sentOverMqtt.length} by MQTT, ` +
      `lost ${counts.lost}, twice ${counts.duplicates}, back after ${recoveryTimes[Math.floor(recoveryTimes.length / 2)]} ms (median), ` +
      `${recoveryTimes.at(-1)} ms (longest)`,
  );
  expect(counts).toMatchObject({ lost: 0, duplicates: 0, unexpected: 0 });
});

test('every alert during these faults was opened once and mailed once', { timeout: 120_000 }, async () => {
  const { mailServer, pair } = setup;
  const alerts = setup.alerts.slice(0, injectedFaults);
  expect(alerts.length).toBeGreaterThan(0);
  const oneAlertEach = alerts.map(({ rule }) => ({ rule, alerts: 1, outcomes: ['sent'] }));
  const readOpenedAlerts = () =>
    readAlerts(
      pair.primary().url,
      alerts.map(({ rule }) => rule),
    );
  const mailsOf = ({ ruleName }: { ruleName: string }) => mailServer.mails.filter(({ raw }) => raw.includes(ruleName));
  // The lease of a killed process lasts for half a minute.
  await expect.poll(readOpenedAlerts, { timeout: 90_000 }).toEqual(oneAlertEach);
  await expect.poll(() => alerts.filter((alert) => mailsOf(alert).length === 0), { timeout: 90_000 }).toEqual([]);
  await sleep(1500);
  expect(await readOpenedAlerts()).toEqual(oneAlertEach);
  expect(alerts.map((alert) => mailsOf(alert).length)).toEqual(alerts.map(() => 1));
});
