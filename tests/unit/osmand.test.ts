import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOsmAnd } from '../../server/telemetry/adapters/readOsmAnd';
import { InvalidMessage } from '../../server/telemetry/timeline/observation';
import { osmAndLocation } from '../support/osmAndLocation';

const query = (search: string) => readOsmAnd({ search, mediaType: '', body: Buffer.alloc(0) });
const form = (body: string) =>
  readOsmAnd({ search: '', mediaType: 'application/x-www-form-urlencoded', body: Buffer.from(body) });
const json = (value: unknown) =>
  readOsmAnd({
    search: '',
    mediaType: 'application/json; charset=utf-8',
    body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  });

const { coords } = osmAndLocation;
const client = (location: object = {}) => ({
  location: { ...osmAndLocation, ...location },
  device_id: '48241179',
});

describe('an OsmAnd query', () => {
  it('is parsed in every form that Traccar accepts', () => {
    expect(
      query(
        'id=902064&lat=42.06288&lon=-88.23412&timestamp=2016-01-27T18%3A55%3A47Z&hdop=6.0&altitude=224.0&speed=0.0',
      ),
    ).toMatchObject({
      devices: ['902064'],
      message: {
        at: new Date('2016-01-27T18:55:47Z'),
        position: { latitude: 42.06288, longitude: -88.23412 },
        altitude: 224,
        state: 'Parked',
        attributes: { hdop: 6 },
      },
    });
    expect(query('id=1&lat=1&lon=2&timestamp=1442068686579').message.at).toEqual(new Date(1_442_068_686_579));
    expect(query('id=1&lat=1&lon=2&timestamp=1377177267').message.at).toEqual(new Date(1_377_177_267_000));
    expect(query('id=1&lat=1&lon=2&timestamp=2014-06-04+09%3A10%3A11').message.at).toEqual(
      new Date('2014-06-04T09:10:11Z'),
    );
    expect(query('id=1&timestamp=1377177267&location=60.0,30.0').message.position).toEqual({
      latitude: 60,
      longitude: 30,
    });
    expect(query('deviceid=1&lat=60.0&lon=30.0&heading=90').message.heading).toBe(90);
    expect(form('id=861001000719969&lat=41.666667&lon=-0.883333&batt=87')).toMatchObject({
      devices: ['861001000719969'],
      message: { battery: 87 },
    });
  });

  it('has the speed in knots', () => {
    expect(query('id=1&speed=10').message.speed).toBeCloseTo(5.1444, 4);
  });

  it('needs no position, stores cells and networks unchanged and every unknown key as an attribute', () => {
    const { message } = query(
      'id=1&timestamp=1377177267&cell=257,02,16,2224&cell=257,02,16,2223,-90&wifi=00-14-22-01-23-45,-80&rpm=933&ignition=true&name=a%20b',
    );
    expect(message.position).toBeNull();
    expect(message.attributes).toEqual({
      cell: '257,02,16,2224;257,02,16,2223,-90',
      wifi: '00-14-22-01-23-45,-80',
      rpm: 933,
      ignition: true,
      name: 'a b',
    });
  });

  it.each([
    'timestamp=1377177267&lat=60.0&lon=30.0',
    '',
    'id=1&lat=north&lon=2',
    'id=1&lat=91&lon=2',
    'id=1&lat=1&lon=181',
    'id=1&lat=NaN&lon=2',
    'id=1&location=60',
    'id=1&timestamp=yesterday',
    'id=1&timestamp=2026-02-30T10:00:00Z',
    'id=1&timestamp=2026-01-01T10:00:00',
    'id=1&cell=1,2,3',
    'id=1&wifi=x',
    'id=1&batt=full',
    'id=1&name=%zz',
    'id=1&name=%00',
  ])('is rejected: %s', (search) => {
    expect(() => query(search)).toThrow(InvalidMessage);
  });
});

describe('the JSON of the Traccar Client app', () => {
  it('has the speed in m/s and the battery from 0 to 1', () => {
    expect(json(client({ coords: { ...coords, speed: 18.67, heading: 63 }, is_moving: true }))).toMatchObject({
      devices: ['48241179'],
      message: {
        at: new Date('2026-06-15T13:45:12.862Z'),
        speed: 18.67,
        heading: 63,
        battery: 79,
        odometer: 12,
        state: 'Online',
        attributes: { event: 'motionchange', activity: 'still' },
      },
    });
  });

  it('has -1 for unknown values', () => {
    expect(
      json(client({ coords: { ...coords, speed: -1 }, battery: { level: -1, is_charging: false } })).message,
    ).toMatchObject({
      speed: null,
      heading: null,
      battery: null,
      state: 'Parked',
    });
  });

  it('may omit both coordinates, but not just one of them', () => {
    expect(json(client({ coords: undefined })).message.position).toBeNull();
    for (const missingName of Object.keys(coords))
      expect(() => json(client({ coords: { ...coords, [missingName]: undefined } }))).toThrow(InvalidMessage);
  });

  it.each([
    ['{'],
    ['[]'],
    ['null'],
    [{ location: {} }],
    [{ ...client(), device_id: 5 }],
    [client({ timestamp: 5 })],
    [client({ timestamp: '2026-06-15 13:45:12' })],
    [client({ coords: null })],
    [client({ battery: { level: '1', is_charging: false } })],
    [client({ battery: { level: 1 } })],
    [client({ is_moving: 'no' })],
    [client({ extras: { name: '\u0000' } })],
  ])('is rejected: %j', (value) => {
    expect(() => json(value)).toThrow(InvalidMessage);
  });

  it('identifies the sender whenever the device id can be parsed', () => {
    expect.assertions(1);
    try {
      json({ device_id: 'tracker 9', location: {} });
    } catch (error) {
      expect((error as InvalidMessage).device).toBe('tracker 9');
    }
  });
});

describe('state and mode', () => {
  it.each([
    ['status=cleaning', 'Cleaning', 'cleaning'],
    ['status=CLEANING&speed=0', 'Cleaning', 'cleaning'],
    ['status=cleaning&charge=true', 'Charging', 'charging'],
    ['charging=true', 'Charging', 'charging'],
    ['status=charging', 'Charging', 'charging'],
    ['status=parked&speed=3', 'Parked', 'parked'],
    ['speed=0', 'Parked', 'no_motion'],
    ['is_moving=false', 'Parked', 'no_motion'],
    ['speed=0&status=service', 'Online', 'message'],
    ['speed=2', 'Online', 'message'],
    ['batt=50', 'Online', 'message'],
  ])('%s is %s', (search, state, reason) => {
    expect(query(`id=1&${search}`).message).toMatchObject({ state, reason });
  });

  it('includes three modes, and extracts counters and errors from the attributes', () => {
    for (const mode of ['robotic', 'manual', 'teaching']) expect(query(`id=1&mode=${mode}`).message.mode).toBe(mode);
    expect(query('id=1&mode=warp').message.mode).toBeNull();
    expect(query('id=1&area=12.5&area_total=4000&odometer=77&error=E12&message=Brush').message).toMatchObject({
      area: 12.5,
      area_total: 4000,
      odometer: 77,
      error: 'E12',
      message: 'Brush',
      attributes: {},
    });
    expect(query('id=1&error=0').message.error).toBeNull();
    expect(query('id=1&batt=140').message.battery).toBeNull();
  });
});

describe('random input', () => {
  const mediaType = fc.constantFrom('application/json', 'application/x-www-form-urlencoded', '');
  const parseOrReject = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidMessage);
    }
  };

  it('is parsed or rejected: arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), mediaType, (body, type) =>
        parseOrReject(() => readOsmAnd({ search: '', mediaType: type, body })),
      ),
      { numRuns: 2000 },
    );
  });

  it('is parsed or rejected: arbitrary values under the known keys', () => {
    const key = fc.constantFrom(
      'id',
      'lat',
      'lon',
      'timestamp',
      'location',
      'cell',
      'wifi',
      'speed',
      'batt',
      'charge',
      'valid',
      'area',
      'error',
      '__proto__',
      'constructor',
    );
    const pairs = fc.array(fc.tuple(key, fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String))), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(pairs, (entries) => parseOrReject(() => query(new URLSearchParams(entries).toString()))),
      { numRuns: 2000 },
    );
  });

  it('is parsed or rejected: arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (location, device) =>
        parseOrReject(() => json({ location, device_id: device })),
      ),
      { numRuns: 2000 },
    );
  });
});
