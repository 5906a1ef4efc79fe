import { type MapColors, useMapColors } from './useMapColors';

/** Progress of a site today. Outstanding work counts as open, not missed, because the day is not over. */
export const siteProgresses = ['done', 'begun', 'open', 'none'] as const;
export type SiteProgress = (typeof siteProgresses)[number];

/** The mark of a progress, for legends. */
export const SiteProgressMark = ({ progress }: { progress: SiteProgress }) => {
  const { color, weight, fillColor } = progressStyle(progress, useMapColors());
  return (
    <svg width="18" height="18" aria-hidden="true">
      <circle cx="9" cy="9" r={progressRadii[progress]} stroke={color} strokeWidth={weight} fill={fillColor} />
    </svg>
  );
};

/** Radius of each mark in pixels. */
export const progressRadii: Record<SiteProgress, number> = { done: 5, begun: 6, open: 6, none: 3 };

/** Leaflet's path options of each mark. */
export function progressStyle(progress: SiteProgress, colors: MapColors) {
  const color = { done: colors.Online, begun: colors.Cleaning, open: colors.text, none: colors.Offline }[progress];
  return {
    color,
    weight: progress === 'begun' ? 3 : progress === 'open' ? 2 : 1,
    fillColor: progress === 'done' ? color : colors.surface,
    fillOpacity: 1,
  };
}
