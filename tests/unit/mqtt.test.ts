/** Topic access and packet sizes of the MQTT broker. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openReceipts } from '../../server/telemetry/ingest/receipts';
import { sizeWatch } from '../../server/telemetry/mqtt/size';
import { mayReadTopics, mayWrite, type Topic, topicOf } from '../../server/telemetry/mqtt/topics';

describe('a topic', () => {
  test('is of a protocol, or of nobody', () => {
    for (const name of ['v1/devices/me/telemetry', 'v2/t', 'v2/t/j'])
      expect(topicOf(name)).toEqual({ protocol: 'thingsboard', name: 'telemetry' });
    for (const name of ['v1/devices/me/attributes', 'v2/a'])
      expect(topicOf(name)).toEqual({ protocol: 'thingsboard', name: 'attributes' });
    for (const prefix of ['uagv/v2', 'vda5050/v3'])
      expect(topicOf(`${prefix}/ACME/0001/state`)).toEqual({
        protocol: 'vda5050',
        name: 'state',
        devices: ['ACME/0001', '0001'],
      });
    for (const topic of [
      'uagv/v2/ACME/0001/order',
      'uagv/v3/ACME/0001/state',
      'uagv/v2/A/B/C/state',
      'uagv/v2//0001/state',
      'v1/devices/me/telemetry/x',
      'v2/x',
      'constructor',
      '',
      '$SYS/x',
    ])
      expect(topicOf(topic), topic).toBeUndefined();
  });

  test('is written by the device it names, by serial number or with the manufacturer', () => {
    const state = topicOf('uagv/v2/ACME/0001/state') as Topic;
    expect(
      [['0001'], ['ACME/0001'], ['other', '0001'], ['ACME'], ['KIT/0001'], []].map((names) => mayWrite(names, state)),
    ).toEqual([true, true, true, false, false, false]);
  });

  test('is read by the device it names, and by wildcards within that alone', () => {
    const may = (filter: string) => mayReadTopics(['0001'], filter);
    expect(
      [
        'uagv/v2/ACME/0001/order',
        'uagv/v2/ACME/0001/#',
        'vda5050/v3/ACME/0001/+',
        'v1/devices/me/rpc/request/+',
      ].filter((filter) => !may(filter)),
    ).toEqual([]);
    expect(
      [
        '#',
        '+/#',
        'uagv/v2/#',
        'uagv/v2/ACME/#',
        'uagv/v2/ACME/+/state',
        'uagv/v2/+/0001/state',
        'uagv/v2/ACME/0002/state',
        'v1/devices/me/telemetry',
        'v1/#',
        '$SYS/#',
      ].filter(may),
    ).toEqual([]);
  });
});

describe('the size of packets', () => {
  const packet = (length: number) => {
    const header = [0x30];
    let rest = length;
    do {
      header.push((rest & 127) | (rest > 127 ? 128 : 0));
      rest >>= 7;
    } while (rest > 0);
    return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)]);
  };
  const cut = (bytes: Buffer, sizes: readonly number[]) => {
    const parts: Buffer[] = [];
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length] as number;
      parts.push(bytes.subarray(at, at + size));
      at += size;
    }
    return parts;
  };

  test('is seen in a stream however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
        (lengths, sizes) => {
          const isWithin = sizeWatch(200);
          const fits = cut(Buffer.concat(lengths.map(packet)), sizes).every(isWithin);
          expect(fits).toBe(lengths.every((length) => length <= 200));
        },
      ),
    );
  });

  test('cannot be told without end', () => {
    expect(sizeWatch(1000)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
  });
});

test('messages received at once are apart by sender, and in order', () => {
  const receiptOf = openReceipts();
  const now = new Date(1000);
  expect(
    [receiptOf('a', now), receiptOf('a', now), receiptOf('b', now), receiptOf('a', new Date(2000))].map((at) =>
      at.getTime(),
    ),
  ).toEqual([1000, 1001, 1000, 2000]);
});
