/** The mapping that clicks in an example message build. */
import { describe, expect, it } from 'vitest';
import { findMappingFault, type MessageMapping } from '../../schema/dsl/messageMapping';
import { mapMessage } from '../../server/features/integrations/mapMessage';
import {
  assignPath,
  buildTree,
  type MappingTarget,
  mappedValues,
  parseWords,
  removeTarget,
} from '../../src/resources/integrations/editMapping';

const field = (name: string): MappingTarget => ({ kind: 'runs', part: 'field', field: name });
const machine: MappingTarget = { kind: 'runs', part: 'machine' };
const mapByClicks = (clicks: [MappingTarget, string][]): MessageMapping =>
  clicks.reduce<MessageMapping>((mapping, [target, path]) => assignPath(mapping, target, { path }), {});

describe('a tree', () => {
  it('lists values with paths that select the same values', () => {
    const message = { a: [{ 'b c': 1, "it's": 2 }, 'x'], d: null, e: {} };
    expect(buildTree(message).map(({ path, depth, text }) => [path, depth, text])).toEqual([
      ['$', 0, undefined],
      ['$.a', 1, undefined],
      ['$.a[0]', 2, undefined],
      ["$.a[0]['b c']", 3, '1'],
      ['$.a[0]["it\'s"]', 3, '2'],
      ['$.a[1]', 2, 'x'],
      ['$.d', 1, 'null'],
      ['$.e', 1, undefined],
    ]);
  });

  it('shows some elements of a long list, and limits the total', () => {
    expect(buildTree(Array.from({ length: 9 }, (_, index) => index))).toHaveLength(4);
    expect(buildTree(Object.fromEntries(Array.from({ length: 900 }, (_, index) => [index, index])))).toHaveLength(400);
  });
});

describe('clicks', () => {
  const message = {
    robot: { sn: 'A' },
    pages: [{ runs: [{ id: 1, 'clean area': 5 }] }, { runs: [{ id: 2, 'clean area': 6 }] }],
  };

  it('in a list map all of its elements, and the values around the list', () => {
    const mapping = mapByClicks([
      [machine, '$.robot.sn'],
      [field('external_id'), '$.pages[0].runs[0].id'],
      [field('cleaned_area_m2'), "$.pages[1].runs[0]['clean area']"],
    ]);
    expect(mapping).toEqual({
      runs: {
        machine: '$.robot.sn',
        each: '$.pages[*].runs[*]',
        fields: { external_id: 'id', cleaned_area_m2: "['clean area']" },
      },
    });
    expect(findMappingFault(mapping)).toBeUndefined();
    expect(
      mapMessage(message, mapping).items.map(({ machine, values }) => [
        machine,
        values.external_id,
        values.cleaned_area_m2,
      ]),
    ).toEqual([
      ['A', '1', 5],
      ['A', '2', 6],
    ]);
  });

  it('map the machine of each element, if it is mapped before the first field', () => {
    const mapping = mapByClicks([
      [machine, '$.runs[0].robot.sn'],
      [{ kind: 'runs', part: 'ignored' }, '$.runs[0].running'],
      [field('external_id'), '$.runs[0].id'],
    ]);
    expect(mapping).toEqual({
      runs: { each: '$.runs[*]', machine: 'robot.sn', ignored: 'running', fields: { external_id: 'id' } },
    });
  });

  it('outside of lists map the message as one object', () => {
    expect(
      mapByClicks([
        [field('external_id'), '$.job.no'],
        [machine, '$.sn'],
      ]),
    ).toEqual({
      runs: { machine: '$.sn', fields: { external_id: '$.job.no' } },
    });
  });

  it('respect the objects that the mapping names, even if it names only their list', () => {
    const preset: MessageMapping = {
      runs: { each: ['$.payload.report', '$.list'], machine: 'sn', fields: { task_id: 't' } },
    };
    for (const [path, relative] of [
      ['$.payload.report.id', 'id'],
      ['$.list[2].id', 'id'],
      ['$.payload.reporter.id', '$.payload.reporter.id'],
    ] as const)
      expect(assignPath(preset, field('external_id'), { path }).runs?.fields.external_id).toBe(relative);
  });

  it('keep the words of a value, and values can be removed', () => {
    const source = { path: '$.o', words: { 1: 'aborted' } };
    const mapping = assignPath(mapByClicks([[machine, '$.sn']]), field('outcome'), source);
    expect(mappedValues(mapping)).toEqual([
      { kind: 'runs', part: 'machine', paths: ['$.sn'], wordCount: 0 },
      { kind: 'runs', part: 'field', field: 'outcome', paths: ['$.o'], wordCount: 1 },
    ]);
    const withoutOutcome = removeTarget(mapping, field('outcome'));
    expect(mappedValues(withoutOutcome)).toHaveLength(1);
    expect(removeTarget(withoutOutcome, machine)).toEqual({});
  });
});

it('words are parsed line by line', () => {
  expect(parseWords('0 = completed\n wash floor=scrub \n=x\nnone\n* = other')).toEqual({
    0: 'completed',
    'wash floor': 'scrub',
    '*': 'other',
  });
  expect(parseWords('x = ')).toBeUndefined();
});
