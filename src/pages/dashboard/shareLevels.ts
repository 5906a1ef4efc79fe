import type { Language } from '../../../schema/shared/languages';
import { formatShare } from '../../i18n/format';
import type { SiteProgress } from '../../map/SiteProgressMark';

/** Returns a printer of shares as whole percent, `–` for none. Rounds down, so that 100 % means everything was done. */
export const sharePrinter =
  (language: Language) =>
  (share: number | null | undefined): string =>
    share === null || share === undefined ? '–' : formatShare(share, { language, roundsDown: true });

export const shareLevels = ['good', 'fair', 'poor'] as const;
export type ShareLevel = (typeof shareLevels)[number];

/** Level of a share of the plan or of the best value: good from 90 %, fair from 60 %. */
export const shareLevelOf = (share: number): ShareLevel => (share >= 0.9 ? 'good' : share >= 0.6 ? 'fair' : 'poor');

/** Progress of a site today; `share` is null without a plan. */
export const progressOf = (share: number | null): SiteProgress =>
  share === null ? 'none' : shareLevelOf(share) === 'good' ? 'done' : share > 0 ? 'begun' : 'open';

/** Share of robotic in robotic and manual time; `undefined` if both are zero. */
export const autonomyOf = ({ robotic, manual }: { robotic: number; manual: number }): number | undefined =>
  robotic + manual === 0 ? undefined : robotic / (robotic + manual);
