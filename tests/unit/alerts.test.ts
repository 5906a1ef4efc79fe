/** Pure functions of alerts: from conditions to firings, grouping, quiet hours, webhook addresses. */
import { describe, expect, test } from 'vitest';
import { findFirings, groupFirings, groupingSeconds } from '../../server/features/alerts/firings';
import {
  type HeldInterval,
  intervalsFromEvents,
  intervalsFromSamples,
  mergeIntervals,
  type Sample,
} from '../../server/features/alerts/heldIntervals';
import { ForbiddenAddress, postPinned } from '../../server/features/alerts/postPinned';
import { afterQuietHours, isQuiet } from '../../server/features/alerts/quietHours';
import { hostOf, isPublicAddress, parseWebhookUrl } from '../../server/features/alerts/webhookUrl';
import { startReceiver } from '../support/startReceiver';

/** Returns a generator of small integers, the same in every run. */
function seededNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
const rounds = Array.from({ length: 200 }, (_, seed) => seededNumbers(seed + 1));
const randomSamples = (random: (limit: number) => number): Sample[] =>
  Array.from({ length: random(30) }, () => ({ at: random(200), holds: random(2) === 1 }));
const shuffle = <T>(list: readonly T[], random: (limit: number) => number) =>
  list
    .map((item) => ({ item, key: random(1e9) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('held intervals', () => {
  const isOrdered = (intervals: readonly HeldInterval[]) =>
    intervals.every(({ from, to }, index) =>
      to === null
        ? index === intervals.length - 1
        : to > from && to < (intervals[index + 1]?.from ?? Number.POSITIVE_INFINITY),
    );

  test('never overlap or touch, for any order and repetition of samples', () => {
    for (const random of rounds) {
      const samples = randomSamples(random);
      const intervals = intervalsFromSamples(samples);
      expect(isOrdered(intervals)).toBe(true);
      expect(intervalsFromSamples(shuffle([...samples, ...samples], random))).toEqual(intervals);
    }
  });

  test('contain exactly the samples at which the condition holds', () => {
    for (const random of rounds) {
      const samples = randomSamples(random);
      const intervals = intervalsFromSamples(samples);
      const holdsAt = (time: number) => samples.filter((sample) => sample.at === time).some(({ holds }) => holds);
      for (const { at } of samples)
        expect(intervals.some(({ from, to }) => from <= at && (to === null || at < to))).toBe(holdsAt(at));
    }
  });

  test('of segments and events are merged if adjacent', () => {
    expect(
      mergeIntervals([
        { from: 20, to: null },
        { from: 0, to: 10 },
        { from: 10, to: 15 },
      ]),
    ).toEqual([
      { from: 0, to: 15 },
      { from: 20, to: null },
    ]);
    expect(intervalsFromEvents([0, 50, 200], { duration: 60, now: 230 })).toEqual([
      { from: 0, to: 110 },
      { from: 200, to: null },
    ]);
  });
});

describe('firings', () => {
  test('occur once the condition has held for longer than the hold time', () => {
    const countFirings = (to: number | null, now: number) =>
      findFirings([{ from: 100, to }], { holdTime: 30, now }).length;
    expect([countFirings(130, 500), countFirings(131, 500), countFirings(null, 130), countFirings(null, 131)]).toEqual([
      0, 1, 0, 1,
    ]);
  });

  test('become fewer with a longer hold time, and lie within their interval', () => {
    for (const random of rounds) {
      const intervals = intervalsFromSamples(randomSamples(random));
      const now = 200 + random(50);
      let countBefore = Number.POSITIVE_INFINITY;
      for (const holdTime of [0, 5, 20, 60, 180]) {
        const firings = findFirings(intervals, { holdTime, now });
        expect(firings.length).toBeLessThanOrEqual(countBefore);
        countBefore = firings.length;
        for (const { at, since, until } of firings) expect([at - since, at < (until ?? now)]).toEqual([holdTime, true]);
      }
    }
  });

  test('are the same whether evaluated every second or for the whole past at once', () => {
    for (const random of rounds) {
      const intervals = intervalsFromSamples(randomSamples(random));
      const holdTime = random(20);
      const firingStarts = new Set<number>();
      for (let now = 0; now <= 260; now += 1) {
        const openInterval = intervals.find(({ from, to }) => from <= now && (to === null || now < to + 1));
        for (const { since } of openInterval
          ? findFirings(
              [
                {
                  from: openInterval.from,
                  to: openInterval.to === null || openInterval.to > now ? null : openInterval.to,
                },
              ],
              { holdTime, now },
            )
          : [])
          firingStarts.add(since);
      }
      expect([...firingStarts]).toEqual(findFirings(intervals, { holdTime, now: 260 }).map(({ since }) => since));
    }
  });

  test('at one location within five minutes are grouped, in any order', () => {
    for (const random of rounds) {
      const firings = Array.from({ length: random(20) }, () => ({ at: random(2000), place: random(3) }));
      const groups = groupFirings(firings, ({ place }) => (place === 2 ? undefined : place));
      expect(groups.flatMap((group) => group.firings)).toHaveLength(firings.length);
      for (const { at, firings: members } of groups) {
        expect(new Set(members.map(({ place }) => place)).size).toBe(1);
        for (const member of members) expect(member.at - at).toBeLessThanOrEqual(groupingSeconds);
        if (members[0]?.place === 2) expect(members).toHaveLength(1);
      }
      const shape = (groupsToCompare: typeof groups) =>
        groupsToCompare.map((group) => [group.at, group.firings.length]);
      expect(
        shape(groupFirings(shuffle(firings, random), ({ place }) => (place === 2 ? undefined : place))).sort(),
      ).toEqual(shape(groups).sort());
    }
  });
});

describe('quiet hours', () => {
  const night = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' };
  const end = (time: string, quiet = night) => afterQuietHours(new Date(time), quiet).toISOString();

  test('postpone a message until they end in local time, also on nights with a clock change', () => {
    expect(end('2026-07-01T12:00:00.500Z')).toBe('2026-07-01T12:00:00.500Z');
    expect(end('2026-07-01T20:00:00Z')).toBe('2026-07-02T04:00:00.000Z');
    expect(end('2026-07-02T04:00:00Z')).toBe('2026-07-02T04:00:00.000Z');
    // The night is longer when summer time ends, and shorter when it begins.
    expect(end('2026-10-24T21:00:00Z')).toBe('2026-10-25T05:00:00.000Z');
    expect(end('2026-03-28T22:00:00Z')).toBe('2026-03-29T04:00:00.000Z');
    // 02:30 does not exist on that night.
    expect(end('2026-03-28T22:00:00Z', { ...night, to: '02:30' })).toBe('2026-03-29T01:00:00.000Z');
  });

  test('end outside of quiet hours, and never last longer than a day', () => {
    for (const random of rounds) {
      const time = () => `${String(random(24)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}`;
      const quiet = {
        from: time(),
        to: time(),
        zone: ['Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'][random(4)] as string,
      };
      const instant = new Date(Date.UTC(2026, random(12), random(28), random(24), random(60)));
      const sentAt = afterQuietHours(instant, quiet);
      expect(isQuiet(sentAt, quiet)).toBe(false);
      expect(sentAt.getTime() - instant.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
    }
  });

  test('require two different times', () => {
    for (const quiet of [
      { ...night, from: null },
      { ...night, to: '22:00' },
    ])
      expect(isQuiet(new Date('2026-07-01T22:00:00Z'), quiet)).toBe(false);
  });
});

describe('webhook addresses', () => {
  const blockedHosts = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '198.18.0.1',
      '192.0.2.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
    ],
    ...['2001:db8::1', '2002:7f00:1::', '2001::1', 'not-an-address', ''],
    // The last address of each IPv4 network, and unassigned IPv6 ranges.
    ...[
      '0.255.255.255',
      '10.255.255.255',
      '100.127.255.255',
      '127.255.255.255',
      '169.254.255.255',
      '192.0.0.255',
      '192.0.2.255',
      '192.31.196.255',
      '192.52.193.255',
      '192.88.99.255',
      '192.168.255.255',
      '192.175.48.255',
      '198.19.255.255',
      '198.51.100.255',
      '203.0.113.255',
      '239.255.255.255',
      '240.0.0.1',
    ],
    ...[
      '::8.8.8.8',
      '::ffff:0:8.8.8.8',
      '64:ff9b:1::1',
      '100::1',
      '1fff::1',
      '4000::1',
      '5f00::1',
      'fec0::1',
      '2001:1ff:ffff::1',
      '2002:ffff::1',
      '3fff:fff:ffff::1',
      '2620:4f:8000::1',
    ],
    // Notations that only some programs parse.
    ...['127.1', '2130706433', '0x8.8.8.8', '010.8.8.8', '8.8.8', '2606:4700::1111%eth0', '[2606:4700::1111]'],
  ];
  test.each(blockedHosts)('exclude %s', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each([
    ...['8.8.8.8', '172.32.0.1', '100.128.0.1', '1.0.0.0', '9.255.255.255', '11.0.0.0', '172.15.255.255'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2606:4700::1111', '2000::1', '2001:200::1', '2003::1', '3fff:1000::1'],
  ])('include %s', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    ...[
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://[::1]/',
      'http://[::ffff:7f00:1]/',
    ],
    ...[
      'http://localhost/',
      'http://LOCALHOST./',
      'http://db/',
      'http://printer.local/',
      'http://metadata.google.internal/',
      'http://169.254.169.254/latest',
    ],
    ...[
      'http://１２７.0.0.1/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://user:pw@example.com/',
      'example.com',
      '',
    ],
  ])('reject %s', (url) => expect(parseWebhookUrl(url, [])).toBeUndefined());

  test('allow public host names and configured hosts, with their port if it is configured', () => {
    expect(parseWebhookUrl('https://hooks.example.com/a?b', [])?.href).toBe('https://hooks.example.com/a?b');
    const isAllowed = (url: string) => parseWebhookUrl(url, ['db', '10.0.0.7:8443']) !== undefined;
    expect(['http://db/', 'http://DB.:99/', 'https://10.0.0.7:8443/', 'https://10.0.0.7/'].map(isAllowed)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(hostOf(new URL('http://[2606:4700::1111]:8/'))).toBe('2606:4700::1111');
  });

  test('reject a host name with any private address, and connect to the address that was checked', async () => {
    const receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const lookups: string[] = [];
    const send = (host: string, addresses: string[], allowedHosts: string[] = []) =>
      postPinned({
        url: `http://${host}:${port}/x`,
        headers: {},
        body: '{}',
        allowedHosts,
        lookup: async (host) => {
          lookups.push(host);
          return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        },
      });
    await expect(send('rebind.example.com', ['127.0.0.1'])).rejects.toBeInstanceOf(ForbiddenAddress);
    await expect(send('both.example.com', ['8.8.8.8', '::1'])).rejects.toBeInstanceOf(ForbiddenAddress);
    await expect(send('mapped.example.com', ['::ffff:10.0.0.1'])).rejects.toBeInstanceOf(ForbiddenAddress);
    expect(receiver.requests).toEqual([]);
    expect(await send('inside.example.com', ['127.0.0.1'], ['inside.example.com'])).toBe(200);
    expect(lookups).toEqual(['rebind.example.com', 'both.example.com', 'mapped.example.com', 'inside.example.com']);
    expect(receiver.requests[0]?.headers.host).toBe(`inside.example.com:${port}`);
    await receiver.close();
  });

  test('are called without following redirects, reading long responses or waiting for slow ones', async () => {
    const receiver = await startReceiver();
    const send = (timeout?: number) =>
      postPinned({ url: receiver.url, headers: {}, body: '{}', allowedHosts: ['127.0.0.1'], timeout });
    receiver.response = { status: 307, headers: { Location: `${receiver.url}/elsewhere` } };
    expect(await send()).toBe(307);
    // The body is shorter than declared, so reading it to the end would fail.
    receiver.response = { status: 200, headers: { 'Content-Length': '5000000' }, body: 'x'.repeat(200_000) };
    expect(await send(2000)).toBe(200);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/']);
    const neverResolves = () => new Promise<never>(() => {});
    await expect(
      postPinned({
        url: 'http://slow.example.com/',
        headers: {},
        body: '',
        allowedHosts: [],
        timeout: 50,
        lookup: neverResolves,
      }),
    ).rejects.toThrow();
    await receiver.close();
  });
});
