/** Cleaning modes: which words mean which mode, and how the original words are kept. */
import { describe, expect, test } from 'vitest';
import { normalizeChoices } from '../../schema/dsl/normalizeChoices';
import { problemsOf } from '../../schema/dsl/rules';
import { runs } from '../../schema/entities/runs';
import { cleaningModes, normalizeCleaningMode } from '../../schema/shared/cleaningModes';
import { integrationPresets, mappingPresets } from '../../schema/shared/mappingPresets';

describe('a cleaning mode', () => {
  test.each([
    ...cleaningModes.map((mode) => [mode, mode] as const),
    ...([
      ['SCRUBBING', 'scrub'],
      ['startScrubbing', 'scrub'],
      ['__scrub', 'scrub'],
      ['Dry sweep', 'sweep'],
      ['suction_cleaning', 'vacuum'],
      ['Vacuuming 2', 'vacuum'],
      ['DustMopping', 'dust_mop'],
      ['dust-mop', 'dust_mop'],
      ['burnish', 'polish'],
      ['UVDisinfection', 'disinfect'],
      ['sanitise', 'disinfect'],
    ] as const),
  ])('is read from %s', (word, mode) => expect(normalizeCleaningMode(word)).toBe(mode));

  test.each([
    '',
    'floorCleaning',
    'heavy_cleaning',
    'mopping',
    'sweep and scrub',
    'vacuum_mop',
    '洗地',
    '1',
  ])('is not guessed from "%s"', (word) => expect(normalizeCleaningMode(word)).toBe('other'));

  test.each(integrationPresets)('of the preset %s is always a value of the set', (preset) => {
    const mode = mappingPresets[preset].runs?.fields.mode;
    const words = typeof mode === 'object' && 'words' in mode ? Object.values(mode.words ?? {}) : [];
    expect(words.filter((word) => !(cleaningModes as readonly string[]).includes(word))).toEqual([]);
    expect(words.length > 0).toBe(preset !== 'custom');
  });
});

describe('values of a run', () => {
  test.each([
    ['keep a mode of the set', { mode: 'sweep' }, { mode: 'sweep' }],
    ['keep a mode that has a raw word', { mode: 'sweep', mode_raw: 'x' }, { mode: 'sweep', mode_raw: 'x' }],
    ['keep another word as raw', { mode: 'Sweeping' }, { mode: 'sweep', mode_raw: 'Sweeping' }],
    ['keep the raw word beside another word', { mode: 'wet', mode_raw: '7' }, { mode: 'other', mode_raw: '7' }],
    ['get a mode from the raw word', { mode_raw: 'scrubbing' }, { mode: 'scrub', mode_raw: 'scrubbing' }],
    ['lose their mode', { mode: null }, { mode: null }],
    ['lose their raw word', { mode_raw: null }, { mode_raw: null }],
  ])('%s', (_, input, stored) => expect(normalizeChoices(runs.fields, input)).toEqual(stored));

  test.each([5, true, ['scrub'], 'x'.repeat(121)])('are invalid with the mode %s', (mode) => {
    const values = normalizeChoices(runs.fields, { mode });
    expect([...problemsOf(runs, values, { fields: ['mode', 'mode_raw'], side: 'server' }).keys()]).toEqual(['mode']);
  });
});
