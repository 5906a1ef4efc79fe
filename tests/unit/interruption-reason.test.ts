import { describe, expect, test } from 'vitest';
import { interruptionReason } from '../../src/resources/runs/interruptionReason';

describe('the displayed reason of an interruption', () => {
  const translateReason = (reason: string | null) => interruptionReason(reason, (key) => `<${key}>`);

  test.each([
    ['no reason', null, '<plan.no_reason>'],
    ['an emergency stop of VDA 5050', 'eStop MANUAL', '<plan.reasons.stopped_by_hand>'],
    ['an emergency stop of VDA 5050 version 3', 'eStop AUTO_ACK', '<plan.reasons.stopped_automatically>'],
    ['an operating mode', 'SERVICE', '<plan.reasons.service>'],
    ['a state', 'Parked', '<resources.machines.choices.status.Parked>'],
    [
      'several states',
      'Parked, Offline',
      '<resources.machines.choices.status.Parked>, <resources.machines.choices.status.Offline>',
    ],
    ['the text of a maker', 'wheel blocked: left', 'wheel blocked: left'],
    ['a list with a word that is no state', 'Parked, by a person', 'Parked, by a person'],
    ['the name of an object property', 'constructor', 'constructor'],
  ])('%s', (_, reason, text) => {
    expect(translateReason(reason)).toBe(text);
  });
});
