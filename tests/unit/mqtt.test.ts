/** Topic access and packet sizes of the MQTT broker. */
import { Server } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Services } from '../../server/context/services';
import { createReceiptTimes } from '../../server/telemetry/ingest/createReceiptTimes';
import { createPacketScanner } from '../../server/telemetry/mqtt/limitPackets';
import { openMqtt } from '../../server/telemetry/mqtt/openMqtt';
import { mayReadTopics, mayWrite, parseTopic, type Topic } from '../../server/telemetry/mqtt/topics';
import { freePort } from '../support/startCluster';

describe('a topic', () => {
  test('belongs to a protocol, or is unknown', () => {
    for (const name of ['v1/devices/me/telemetry', 'v2/t', 'v2/t/j'])
      expect(parseTopic(name)).toEqual({ protocol: 'thingsboard', name: 'telemetry' });
    for (const name of ['v1/devices/me/attributes', 'v2/a'])
      expect(parseTopic(name)).toEqual({ protocol: 'thingsboard', name: 'attributes' });
    const vehicle = { protocol: 'vda5050', devices: ['ACME/0001', '0001'] };
    for (const prefix of ['uagv/v2', 'vda5050/v3', 'uagv/v1', 'my fleet/v12'])
      for (const name of ['state', 'connection', 'visualization', 'factsheet'])
        expect(parseTopic(`${prefix}/ACME/0001/${name}`)).toEqual({ ...vehicle, name });
    for (const last of ['order', 'instantActions', 'maker/extension', 'constructor'])
      expect(parseTopic(`uagv/v2/ACME/0001/${last}`)).toEqual({ ...vehicle, name: 'other' });
    for (const gatewayTopic of ['connect', 'disconnect', 'telemetry', 'attributes'])
      expect(parseTopic(`v1/gateway/${gatewayTopic}`)).toEqual({
        protocol: 'thingsboard',
        name: 'gateway',
        gatewayTopic,
      });
    for (const topic of ['v1/devices/me/claim', 'v1/devices/me/telemetry/x', 'v1/gateway/rpc', 'v2/x'])
      expect(parseTopic(topic)).toEqual({ protocol: 'thingsboard', name: 'other' });
    for (const [topic, requestKind, responseTopic] of [
      ['v1/devices/me/attributes/request/12', 'attributes', 'v1/devices/me/attributes/response/12'],
      ['v1/devices/me/rpc/request/3', 'rpc', 'v1/devices/me/rpc/response/3'],
      ['v1/gateway/attributes/request', 'attributes', 'v1/gateway/attributes/response'],
      ['v2/a/req/4', 'attributes', 'v2/a/res/4'],
      ['v2/r/req/j/4', 'rpc', 'v2/r/res/j/4'],
    ])
      expect(parseTopic(topic as string)).toEqual({
        protocol: 'thingsboard',
        name: 'request',
        requestKind,
        responseTopic,
      });
    for (const topic of [
      'uagv/vX/ACME/0001/state',
      'a/b/v2/ACME/0001/state',
      '$SYS/v2/ACME/0001/state',
      'uagv/v2//0001/state',
      'uagv/v2/ACME/0001',
      'v1/devices/other/telemetry',
      'constructor',
      '',
      '$SYS/x',
    ])
      expect(parseTopic(topic), topic).toBeUndefined();
  });

  test('is writable by the device that it names by serial number, with or without manufacturer', () => {
    const state = parseTopic('uagv/v2/ACME/0001/state') as Topic;
    expect(
      [['0001'], ['ACME/0001'], ['other', '0001'], ['ACME'], ['KIT/0001'], []].map((names) => mayWrite(names, state)),
    ).toEqual([true, true, true, false, false, false]);
  });

  test('is readable by the device that it names, including wildcards below its own topics', () => {
    const mayRead = (filter: string) => mayReadTopics(['0001'], filter);
    expect(
      [
        'uagv/v2/ACME/0001/order',
        'uagv/v2/ACME/0001/#',
        'vda5050/v3/ACME/0001/+',
        'v1/devices/me/rpc/request/+',
      ].filter((filter) => !mayRead(filter)),
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
      ].filter(mayRead),
    ).toEqual([]);
  });
});

describe('packet size', () => {
  const packet = (length: number) => {
    const header = [0x30];
    let remaining = length;
    do {
      header.push((remaining & 127) | (remaining > 127 ? 128 : 0));
      remaining >>= 7;
    } while (remaining > 0);
    return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)]);
  };
  const splitBytes = (bytes: Buffer, sizes: readonly number[]) => {
    const parts: Buffer[] = [];
    for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
      const size = sizes[index % sizes.length] as number;
      parts.push(bytes.subarray(offset, offset + size));
      offset += size;
    }
    return parts;
  };

  test('is parsed from a stream of arbitrary chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 5 }),
        (lengths, sizes) => {
          const isWithin = createPacketScanner(200);
          const fits = splitBytes(Buffer.concat(lengths.map(packet)), sizes).every(isWithin);
          expect(fits).toBe(lengths.every((length) => length <= 200));
        },
      ),
    );
  });

  test('has at most four length bytes', () => {
    expect(createPacketScanner(1000)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
  });
});

test('messages received together are separated by sender, in order', () => {
  const receiptTimeOf = createReceiptTimes();
  const now = new Date(1000);
  expect(
    [receiptTimeOf('a', now), receiptTimeOf('a', now), receiptTimeOf('b', now), receiptTimeOf('a', new Date(2000))].map(
      (receipt) => receipt.getTime(),
    ),
  ).toEqual([1000, 1001, 1000, 2000]);
});

describe('the embedded broker', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('goes on listening after a connection that could not be accepted', async () => {
    const mqttPort = await freePort();
    const listen = vi.spyOn(Server.prototype, 'listen');
    const services = {
      env: { mqttPort, host: '127.0.0.1', cleaningActions: [] },
      db: { kind: 'pglite' },
      log: { warn: vi.fn() },
    } as unknown as Services;
    const { isListening, stop } = await openMqtt(services);
    const server = listen.mock.contexts[0] as Server;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    server.emit('error', new Error('accept ENOBUFS'));
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect([isListening, server.listening]).toEqual([true, true]);
    expect(services.log.warn).toHaveBeenCalledOnce();
    await stop();
  });
});
