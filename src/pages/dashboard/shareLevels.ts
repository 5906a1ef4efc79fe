import { type Language, localeOf } from '../../../schema/shared/languages';
import type { SiteProgress } from '../../map/SiteProgressMark';

/** Prints a share as percent without decimals, `–` without one. Rounds down: 100 % means all was done. */
export function sharePrinter(language: Language): (share: number | null | undefined) => string {
  const percent = new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    maximumFractionDigits: 0,
    roundingMode: 'floor',
  } as Intl.NumberFormatOptions);
  return (share) => (share === null || share === undefined ? '–' : percent.format(share));
}

export const shareLevels = ['good', 'fair', 'poor'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** Level of a share of what was planned or is best: from 90 % good, from 60 % fair. */
export const levelOf = (share: number): ShareLevel => (share >= 0.9 ? 'good' : share >= 0.6 ? 'fair' : 'poor');

/** Progress of a site today; `share` is null without a plan. */
export const progressOf = (share: number | null): SiteProgress =>
  share === null ? 'none' : levelOf(share) === 'good' ? 'done' : share > 0 ? 'begun' : 'open';

/** Robotic share of robotic and manual time; `undefined` without either. */
export const autonomyOf = ({ robotic, manual }: { robotic: number; manual: number }): number | undefined =>
  robotic + manual === 0 ? undefined : robotic / (robotic + manual);
