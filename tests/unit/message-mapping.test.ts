/** Mappings of vendors' messages: paths, units, words, constants, presets. */
import { describe, expect, it } from 'vitest';
import { parsePath, readPath } from '../../schema/dsl/jsonPath';
import { findMappingFault, type MessageMapping } from '../../schema/dsl/messageMapping';
import { mappingPresets } from '../../schema/shared/mappingPresets';
import { mapMessage, maxMessageItems } from '../../server/features/integrations/mapMessage';
import gausium from '../samples/gausium.json';
import pudu from '../samples/pudu.json';

const values = (path: string, root: unknown, item: unknown = root) => {
  const parsedPath = parsePath(path);
  return parsedPath && readPath(parsedPath, { root, item });
};

describe('paths', () => {
  const root = { a: { 'b c': [{ d: 1 }, { d: 2 }], é: 3 }, list: [[4], [5]] };

  it.each([
    ['$', [root]],
    ['$.a.é', [3]],
    ['a.é', [3]],
    ['@.a.é', [3]],
    ["$.a['b c'][1].d", [2]],
    ['$.a["b c"][*].d', [1, 2]],
    ['$.list[*][0]', [4, 5]],
    ['$.list[7]', []],
    ['$.a.é.deeper', []],
    ['$.a[0]', []],
    ['$.list.length', []],
    ['$.constructor', []],
    ['$.__proto__', []],
  ])('%s', (path, expected) => expect(values(path, root)).toEqual(expected));

  it.each([
    '',
    '$x',
    '$.',
    'a..b',
    '.a',
    '$..a',
    '$.a[?(@.b)]',
    '$.a[-1]',
    '$.a[(1)]',
    'a b',
    `$${'.a'.repeat(40)}`,
    'a'.repeat(251),
  ])('reject %j', (path) => expect(parsePath(path)).toBeUndefined());

  it('are relative to the current object or to the whole message', () => {
    expect(values('d', root, { d: 9 })).toEqual([9]);
    expect(values('$.a.é', root, { d: 9 })).toEqual([3]);
  });
});

const mapOne = (fields: Record<string, unknown>, message: unknown, extraFields: object = {}) =>
  mapMessage(message, { runs: { machine: 'sn', fields, ...extraFields } } as MessageMapping).items[0];

describe('values', () => {
  const id = { external_id: 'id' };

  it.each([
    ['cleaned_area_m2', 'ft2', 1000, 92.903_04],
    ['water_l', 'ml', 14_611, 14.611],
    ['water_l', undefined, '14.611', 14.611],
    ['energy_wh', 'kWh', 0.3, 300],
    ['duration_s', 'min', 48.4, 2904],
    ['duration_s', 'h', 1.5, 5400],
    ['distance_m', 'km', 5.25, 5250],
    ['battery_start', 'share', 0.29, 29],
    ['started_at', 'unix_s', 1_726_729_353, '2024-09-19T07:02:33.000Z'],
    ['started_at', 'unix_ms', '1726729353000', '2024-09-19T07:02:33.000Z'],
    ['started_at', undefined, 1_726_729_353_000, '2024-09-19T07:02:33.000Z'],
    ['started_at', undefined, '2026-08-16T13:25:13+02:00', '2026-08-16T11:25:13.000Z'],
    ['started_at', undefined, '2026-08-16 11:25:13', '2026-08-16T11:25:13.000Z'],
    ['started_at', 'Europe/Berlin', '2026-08-16 13:25:13', '2026-08-16T11:25:13.000Z'],
    ['started_at', 'Europe/Berlin', '2026/01/16 13:25', '2026-01-16T12:25:00.000Z'],
    ['started_at', 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00.000Z'],
    ['started_at', 'Europe/Berlin', '2026-08-16T11:25:13Z', '2026-08-16T11:25:13.000Z'],
  ])('%s in %s of %j', (field, unit, input, expected) => {
    const item = mapOne({ ...id, [field]: { path: 'v', ...(unit && { unit }) } }, { id: 'r', v: input });
    expect(item?.problems).toEqual([]);
    expect(item?.values[field]).toBe(expected);
  });

  it.each([
    ['cleaned_area_m2', 'a lot', 'number'],
    ['cleaned_area_m2', true, 'number'],
    ['cleaned_area_m2', { m2: 1 }, 'number'],
    ['started_at', 'yesterday', 'instant'],
    ['started_at', '2026-02-30 10:00:00', 'instant'],
    ['started_at', '0001-01-01T00:00:00Z', 'instant'],
    ['task_name', ['a'], 'text'],
  ])('%s cannot be %j', (field, input, key) => {
    const item = mapOne({ ...id, [field]: 'v' }, { id: 'r', v: input });
    expect(item?.problems).toMatchObject([{ field, key }]);
    expect(item?.values).not.toHaveProperty(field);
  });

  it.each(['constructor', '__proto__', 'maybe', 2])('of a state: charging cannot be %j', (input) => {
    const mapping = { states: { machine: 'sn', fields: { charging: 'v' } } };
    const item = mapMessage({ sn: 'A', v: input }, mapping).items[0];
    expect(item?.problems).toMatchObject([{ field: 'charging', key: 'boolean' }]);
    expect(item?.values).not.toHaveProperty('charging');
  });

  it('translate words, keep the original ones, and omit unknown ones', () => {
    const mode = { path: 'm', words: { WASH: 'scrub', '*': 'other' } };
    const outcome = { path: 'o', words: { 1: 'aborted' } };
    expect(mapOne({ ...id, mode, outcome }, { id: 'r', m: '__wash', o: 1 })?.values).toMatchObject({
      mode: 'scrub',
      mode_raw: '__wash',
      outcome: 'aborted',
      outcome_raw: '1',
    });
    const unknown = mapOne({ ...id, mode, outcome }, { id: 'r', m: 'fly', o: -1 })?.values;
    expect(unknown).toMatchObject({ mode: 'other', mode_raw: 'fly', outcome_raw: '-1' });
    expect(unknown).not.toHaveProperty('outcome');
  });

  it('use the first path with a value, or a constant if there is none', () => {
    const fields = { ...id, task_name: { path: ['a', 'b', '$.c'], value: 'Night' } };
    expect(mapOne(fields, { id: 'r', a: '', b: null, c: 'C' })?.values.task_name).toBe('C');
    expect(mapOne(fields, { id: 'r' })?.values.task_name).toBe('Night');
  });

  it.each([
    [0.9, 'completed'],
    [0.899, 'partial'],
  ])('with a normal end at %s of the plan have the outcome %s', (share, outcome) => {
    const fields = {
      ...id,
      outcome: { path: 'o', words: { ok: 'completed_or_partial' } },
      planned_area_m2: 'p',
      cleaned_area_m2: 'c',
    };
    expect(mapOne(fields, { id: 'r', o: 'ok', p: 1000, c: 1000 * share })?.values.outcome).toBe(outcome);
    expect(mapOne(fields, { id: 'r', o: 'ok', c: 1 })?.values.outcome).toBe('completed');
  });

  it('derive the end and id of a run', () => {
    const fields = { started_at: 's', duration_s: 'd' };
    expect(mapOne(fields, { s: '2026-08-16T11:25:13Z', d: 60 })?.values).toMatchObject({
      external_id: '2026-08-16T11:25:13.000Z',
      ended_at: '2026-08-16T11:26:13.000Z',
    });
  });

  it('have no end if the duration leads beyond the range of dates', () => {
    const run = mapOne({ started_at: 's', duration_s: 'd' }, { s: '2026-08-16T11:25:13Z', d: 1e15 });
    expect(run?.values).toMatchObject({ duration_s: 1e15 });
    expect(run?.values).not.toHaveProperty('ended_at');
  });

  it('include interruptions and consumables', () => {
    const fields = {
      ...id,
      interruptions: { path: 'stops[*]', fields: { at: 't', reason: 'why', resolved_at: 'until' } },
      consumables: { path: 'left', unit: 'share' },
    };
    const stops = [
      { t: '2026-08-16T11:30:00Z', why: 'blocked', until: '2026-08-16T11:40:00Z' },
      { t: '2026-08-16T11:50:00Z' },
      {},
    ];
    expect(
      mapOne(fields, { id: 'r', stops, left: { sideBrush: 0.5, hepa2Filter: 1.2, note: 'new' } })?.values,
    ).toMatchObject({
      interruptions: [
        { at: '2026-08-16T11:30:00.000Z', reason: 'blocked', resolved_at: '2026-08-16T11:40:00.000Z' },
        { at: '2026-08-16T11:50:00.000Z', reason: null, resolved_at: null },
      ],
      consumables: { side_brush: 0.5 },
    });
  });
});

describe('messages', () => {
  const mapping: MessageMapping = {
    runs: { each: ['$.list', '$.pages[*].runs'], machine: ['sn', '$.sn'], fields: { external_id: 'id' } },
  };

  it('can contain many runs, each with its machine', () => {
    const { items } = mapMessage(
      { sn: 'A', pages: [{ runs: [{ id: 1 }, { id: 2, sn: 'B' }] }, { runs: [{ id: 3 }] }] },
      mapping,
    );
    expect(items.map(({ machine, index, values: { external_id } }) => [machine, index, external_id])).toEqual([
      ['A', 0, '1'],
      ['B', 1, '2'],
      ['A', 2, '3'],
    ]);
  });

  it('without any match give no result', () => {
    for (const message of [{}, [], null, 7, 'text', { list: [] }, { list: [{ other: 1 }] }])
      expect(mapMessage(message, mapping)).toEqual({ items: [], ignored: 0, isTooLong: false });
  });

  it('omit ignored values', () => {
    const mappingWithIgnored = {
      runs: { ...mapping.runs, ignored: { path: 'state', words: { running: 'true', '*': 'false' } } },
    };
    const list = [{ id: 1, state: 'running' }, { id: 2, state: 'done' }, { id: 3 }];
    const { items, ignored: ignoredItems } = mapMessage({ list }, mappingWithIgnored as MessageMapping);
    expect([items.map(({ values: { external_id } }) => external_id), ignoredItems]).toEqual([['2', '3'], 1]);
  });

  it('with too many objects are rejected', () => {
    const list = Array.from({ length: maxMessageItems + 1 }, (_, id) => ({ id }));
    expect(mapMessage({ list }, mapping)).toEqual({ items: [], ignored: 0, isTooLong: true });
    expect(mapMessage({ list: list.slice(1) }, mapping).items).toHaveLength(maxMessageItems);
  });
});

describe('presets', () => {
  const mapPreset = (preset: 'gausium' | 'pudu', message: unknown) => {
    const { items } = mapMessage(message, mappingPresets[preset]);
    expect(items).toHaveLength(1);
    return items[0];
  };

  it('are valid mappings', () => {
    for (const preset of Object.values(mappingPresets)) expect(findMappingFault(preset)).toBeUndefined();
  });

  it('read a report of Gausium identically, whether pushed or polled', () => {
    const { report } = gausium;
    const pushedReport = { ...report, startTime: Date.parse(report.startTime), endTime: Date.parse(report.endTime) };
    const wrappedReport = {
      appId: 'x',
      payload: { serialNumber: report.robotSerialNumber, modelTypeCode: 'S', taskReport: pushedReport },
    };
    for (const message of [report, wrappedReport, { robotTaskReports: [report] }])
      expect(mapPreset('gausium', message)).toEqual({
        kind: 'runs',
        index: 0,
        machine: 'GS442-6130-QXR-7000',
        problems: [],
        values: {
          external_id: '5b1f-report',
          task_id: '5b1f-task',
          task_name: 'Hall daily',
          started_at: '2026-08-16T11:25:13.000Z',
          ended_at: '2026-08-16T12:14:14.000Z',
          outcome: 'aborted',
          outcome_raw: '1',
          mode: 'scrub',
          mode_raw: '洗地',
          planned_area_m2: 2196.568,
          cleaned_area_m2: 659.965,
          duration_s: 2904,
          water_l: 14.611,
          battery_start: 100,
          battery_end: 78,
          operator: 'night shift',
          consumables: { brush: 1, filter: 1, suction_blade: 0.9118 },
        },
      });
  });

  it('read both status formats of Gausium', () => {
    expect(mapPreset('gausium', gausium.status_v1)).toMatchObject({
      kind: 'states',
      machine: 'GS442-6130-QXR-7000',
      values: { at: '2026-08-16T11:25:13.000Z', status: 'cleaning', charging: false, battery: 84, speed: 0.5 },
    });
    expect(mapPreset('gausium', gausium.status_v2)).toMatchObject({
      values: {
        at: '2026-08-16T12:25:13.000Z',
        status: 'parked',
        mode: 'robotic',
        charging: true,
        battery: 80,
        speed: 0,
      },
    });
    expect(mapMessage({ ...gausium.status_v1, online: false }, mappingPresets.gausium)).toMatchObject({
      items: [],
      ignored: 1,
    });
    const stoppedStatus = { ...gausium.status_v1, emergencyStop: { enabled: true } };
    expect(mapPreset('gausium', stoppedStatus)?.values.error).toBe('emergency_stop');
  });

  it('read reports and callbacks of Pudu', () => {
    const values = {
      external_id: '1034159705138401280',
      task_name: '5th floor dry',
      started_at: '2024-09-19T07:02:33.000Z',
      ended_at: '2024-09-19T12:36:01.000Z',
      outcome: 'partial',
      outcome_raw: '4',
      mode: 'sweep',
      planned_area_m2: 1954.4976,
      cleaned_area_m2: 1565.227783203125,
      duration_s: 8001,
      water_l: 2.5,
    };
    expect(mapPreset('pudu', pudu.report)).toMatchObject({ machine: '811064412050002', values, problems: [] });
    expect(mapPreset('pudu', { data: { list: [pudu.report.data] } })?.values).toMatchObject(values);
    expect(mapPreset('pudu', pudu.status)).toMatchObject({
      machine: '811064412050002',
      values: { at: '2026-08-16T11:25:13.000Z', status: 'parked', charging: true, battery: 85 },
    });
    expect(mapPreset('pudu', pudu.error)?.values).toMatchObject({ error: 'CleanWaterEmpty', message: 'Fill up' });
    expect(mapMessage(pudu.offline, mappingPresets.pudu)).toMatchObject({ items: [], ignored: 1 });
    const runningReport = { data: { ...pudu.report.data, status: 1 } };
    expect(mapMessage(runningReport, mappingPresets.pudu)).toMatchObject({ items: [], ignored: 1 });
  });
});

describe('validation of a mapping', () => {
  const runs = { machine: 'sn', fields: { external_id: 'id' } };
  it.each([
    [null, 'mapping'],
    [[], 'mapping'],
    [{ others: runs }, 'others'],
    [{ runs: { machine: '', fields: {} } }, 'runs.machine'],
    [{ runs: { machine: 'sn' } }, 'runs.fields'],
    [{ runs: { fields: { external_id: 'id' } } }, undefined],
    [{ runs: { machine: 'sn', fields: {} } }, undefined],
    [{ runs: { ...runs, more: 1 } }, 'runs'],
    [{ runs: { ...runs, each: '$..a' } }, 'runs.each'],
    [{ runs: { ...runs, ignored: {} } }, 'runs.ignored'],
    [{ runs: { ...runs, fields: { constructor: 'id' } } }, 'runs.fields.constructor'],
    [{ runs: { ...runs, fields: { coverage: 'id' } } }, 'runs.fields.coverage'],
    [{ runs: { ...runs, fields: { water_l: { path: 'w', unit: 'm2' } } } }, 'runs.fields.water_l'],
    [{ runs: { ...runs, fields: { started_at: { path: 'w', unit: 'Mars/Olympus' } } } }, 'runs.fields.started_at'],
    [{ runs: { ...runs, fields: { outcome: { path: 'w', words: { 1: 'fine' } } } } }, 'runs.fields.outcome'],
    [{ runs: { ...runs, fields: { outcome: { value: 'fine' } } } }, 'runs.fields.outcome'],
    [{ runs: { ...runs, fields: { interruptions: 'stops' } } }, 'runs.fields.interruptions'],
    [
      { runs: { ...runs, fields: { interruptions: { path: 'stops', fields: { reason: 'r' } } } } },
      'runs.fields.interruptions',
    ],
    [
      {
        states: {
          machine: 'sn',
          fields: { battery: { path: 'b', unit: 'share' }, at: { path: 't', unit: 'Europe/Rome' } },
        },
      },
      undefined,
    ],
    [{}, undefined],
  ])('reports %j', (mapping, fault) => expect(findMappingFault(mapping)).toBe(fault));
});
