/**
 * How a run cleans, in the words of the vendor-neutral contract in github.com/inorbit-ai/inorbit-robot-connectors,
 * `2026-08-20-canonical-cleaning-datasources.md` (MIT).
 */
import { stemsOf } from '../dsl/wordStems';

export const cleaningModes = ['scrub', 'sweep', 'vacuum', 'dust_mop', 'polish', 'disinfect', 'other'] as const;
export type CleaningMode = (typeof cleaningModes)[number];

/** English verbs of each mode. Those of `other` are ambiguous, so that `vacuum and mop` does not count as vacuuming. */
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
 * The mode that a name means, such as `SCRUBBING`, `dust-mop` or the action type `startSweeping`; `other` if it means
 * none or several.
 */
export function normalizeCleaningMode(name: string): CleaningMode {
  const stems = stemsOf(name).join(' ').replaceAll('dust mop', 'dustmop').split(' ');
  const [mode = 'other', ...otherModes] = new Set(stems.flatMap((stem) => modeByStem.get(stem) ?? []));
  return otherModes.length === 0 ? mode : 'other';
}
