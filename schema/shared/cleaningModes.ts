/**
 * Modes of cleaning, with the names of the vendor-neutral contract in github.com/inorbit-ai/inorbit-robot-connectors,
 * `2026-08-20-canonical-cleaning-datasources.md` (MIT).
 */
import { stemsOf } from '../dsl/wordStems';

export const cleaningModes = ['scrub', 'sweep', 'vacuum', 'dust_mop', 'polish', 'disinfect', 'other'] as const;
export type CleaningMode = (typeof cleaningModes)[number];

/**
 * English verbs for each mode. The verbs of `other` are ambiguous; they keep `vacuum and mop` from counting as
 * vacuuming.
 */
const verbs: Record<CleaningMode, readonly string[]> = {
  scrub: ['scrub'],
  sweep: ['sweep'],
  vacuum: ['vacuum', 'suction'],
  dust_mop: ['dustmop'],
  polish: ['polish', 'burnish'],
  disinfect: ['disinfect', 'sanitize', 'sanitise'],
  other: ['mop', 'wash', 'wipe'],
};
const modeByStem = new Map<string, CleaningMode>(
  cleaningModes.flatMap((mode) =>
    verbs[mode].flatMap((verb) => stemsOf(verb).map((stem): [string, CleaningMode] => [stem, mode])),
  ),
);

/**
 * Returns the mode that a name such as `SCRUBBING`, `dust-mop` or the action type `startSweeping` stands for; `other`
 * if it stands for none or for several.
 */
export function normalizeCleaningMode(name: string): CleaningMode {
  const stems = stemsOf(name).join(' ').replaceAll('dust mop', 'dustmop').split(' ');
  const [mode = 'other', ...otherModes] = new Set(stems.flatMap((stem) => modeByStem.get(stem) ?? []));
  return otherModes.length === 0 ? mode : 'other';
}
