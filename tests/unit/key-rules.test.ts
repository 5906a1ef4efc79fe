/** Rules that map a device's key names and value words to ours. */
import { describe, expect, test } from 'vitest';
import { keyRulePresets, parseKeyRule } from '../../schema/dsl/keyRules';
import { buildKeyMap } from '../../server/telemetry/adapters/buildKeyMap';

const mapFields = (rules: readonly string[], fields: Record<string, unknown>) => buildKeyMap(rules)(fields);

test.each([
  'batteryLevel',
  '-> battery',
  'batteryLevel -> power',
  'batteryLevel -> constructor',
  'state = docked -> charging',
  'state -> charging = true',
  'state = docked -> status = docked',
  'state = docked -> battery = 5',
  'state * 2 -> status',
  'a b -> battery',
])('rejects %s', (text) => expect(parseKeyRule(text)).toBeUndefined());

test('presets are valid rules', () => {
  for (const text of Object.values(keyRulePresets).flat()) expect(parseKeyRule(text), text).toBeDefined();
});

describe('fields', () => {
  test('are renamed, scaled and stripped of the percent sign', () => {
    expect(mapFields(['batteryLevel -> battery'], { batteryLevel: '55%', other: 1 })).toEqual({
      battery: 55,
      other: 1,
    });
    expect(mapFields(['battery * 100 -> battery'], { battery: 0.42 })).toEqual({ battery: 42 });
    expect(mapFields(['battery * 100 -> battery'], { battery: 0.29 })).toEqual({ battery: 29 });
    expect(mapFields(['lat -> latitude'], { lat: 52.5200123 })).toEqual({ latitude: 52.5200123 });
    expect(mapFields(['lat * 0.0000001 -> latitude'], { lat: 525200123 })).toEqual({ latitude: 52.5200123 });
    expect(mapFields(['soc -> battery'], { soc: 'full', nested: { soc: 1 } })).toEqual({
      battery: 'full',
      nested: { soc: 1 },
    });
    expect(mapFields(['plugged -> charging'], { plugged: 'TRUE' })).toEqual({ charging: true });
  });

  test('take precedence over a key that already has the name', () => {
    for (const fields of [
      { soc: 10, battery: 90 },
      { battery: 90, soc: 10 },
    ])
      expect(mapFields(['soc -> battery'], fields)).toEqual({ battery: 10 });
  });

  test('get the value of their word; a word without a rule ends the value of the previous word', () => {
    const rules = [...keyRulePresets.state, 'state = docked -> charging = true'];
    expect(mapFields(rules, { state: 'Working' })).toEqual({ status: 'cleaning', charging: false });
    expect(mapFields(rules, { state: 'docked' })).toEqual({ status: 'charging', charging: true });
    expect(mapFields(rules, { state: 'lost' })).toEqual({ status: 'lost', charging: false });
    expect(mapFields(rules, { battery: 5 })).toEqual({ battery: 5 });
  });
});
