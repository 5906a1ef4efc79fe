/** Cleaning action types: set per machine type, matched by family. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEnv } from '../../server/context/env';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';

const isCleaning = createActionMatcher(readEnv({}).cleaningActions);

describe('cleaning action types', () => {
  test.each([
    ...['clean', 'cleaning', 'Clean', 'CLEANING', 'clean_floor', 'floorCleaning', 'FloorCleaning', 'startCleaning'],
    ...['START_CLEANING', 'clean-area', 'clean.zone', 'Clean Zone 7', 'cleanZone7', 'wetCleaning', 'startcleaning'],
    ...['deepClean', 'sweep', 'sweeping', 'scrubFloor', 'SCRUBBING', 'scrubbed', 'vacuuming', 'mop_floor', 'mopping'],
    ...['polishing', 'disinfect', 'disinfection', 'UVDisinfection', 'washFloor', 'edgeCleaning'],
  ])('include %s', (type) => {
    expect(isCleaning(type)).toBe(true);
  });

  test.each([
    ...['', 'beep', 'cleanUpDisk', 'cleanupDisk', 'clean_up_logs', 'cleanCache', 'cleanTank', 'selfCleaning'],
    ...['stopCleaning', 'END_CLEANING', 'pauseCleaning', 'cancelClean', 'unclean', 'cleanse', 'goToCleaningStation'],
    ...['startCharging', 'pick', 'drop', 'cleanSensor', 'sweepstake', 'scrublands', '7', '__proto__'],
  ])('exclude %s', (type) => {
    expect(isCleaning(type)).toBe(false);
  });

  test('match a list, families of names, and exact names', () => {
    const isOwnAction = createActionMatcher(['floor care', 'cleanTank', '']);
    expect(['FLOOR_CARE', 'startFloorCare', 'floorcare', 'cleanTank', 'CLEAN_TANK'].filter(isOwnAction)).toHaveLength(
      5,
    );
    expect(['care', 'floor', 'careFloor', 'clean', 'cleanTankSensor'].filter(isOwnAction)).toEqual([]);
  });

  test('ignore case and separators', () => {
    const word = fc.constantFrom('clean', 'cleaning', 'floor', 'start', 'stop', 'up', 'disk', 'zone', 'sweeping', 'go');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('_', '-', ' ', '.'),
        (words, separator) => {
          const camel = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
          const expected = isCleaning(words.join(separator));
          expect(isCleaning(words.join(separator).toUpperCase())).toBe(expected);
          expect(isCleaning(camel)).toBe(expected);
          expect(isCleaning((camel[0] as string).toLowerCase() + camel.slice(1))).toBe(expected);
        },
      ),
    );
  });
});
