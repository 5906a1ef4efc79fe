import { CircleMarker } from 'react-leaflet';
import { BaseMap } from './BaseMap';
import { MarkLabel } from './MarkLabel';
import { type MapColors, useMapColors } from './useMapColors';

/** Progress of a site today. Work not yet done is open, never missed, since the day is not over. */
export const siteProgresses = ['done', 'begun', 'open', 'none'] as const;
export type SiteProgress = (typeof siteProgresses)[number];

interface SiteMark {
  id: number;
  label: string;
  latitude: number;
  longitude: number;
  progress: SiteProgress;
}

interface Props {
  label: string;
  /** In drawing order: later ones are on top. */
  sites: readonly SiteMark[];
  onSite: (id: number) => void;
}

/** Sites on a map by their progress; marks differ by size and filling too. */
export const SitesMap = ({ label, sites, onSite }: Props) => {
  const colors = useMapColors();
  return (
    <BaseMap label={label} colors={colors} bounds={boundsOf(sites)}>
      {sites.map(({ id, label: name, latitude, longitude, progress }) => (
        <CircleMarker
          key={id}
          center={[latitude, longitude]}
          radius={radii[progress]}
          pathOptions={styleOf(progress, colors)}
          eventHandlers={{ click: () => onSite(id) }}
        >
          <MarkLabel text={name} direction="top" />
        </CircleMarker>
      ))}
    </BaseMap>
  );
};

/** The mark of a progress, for a legend. */
export const SiteProgressMark = ({ progress }: { progress: SiteProgress }) => {
  const { color, weight, ...fill } = styleOf(progress, useMapColors());
  return (
    <svg width="18" height="18" aria-hidden="true">
      <circle cx="9" cy="9" r={radii[progress]} stroke={color} strokeWidth={weight} fill={fill.fillColor} />
    </svg>
  );
};

const radii: Record<SiteProgress, number> = { done: 5, begun: 6, open: 6, none: 3 };

function styleOf(progress: SiteProgress, colors: MapColors) {
  const color = { done: colors.Online, begun: colors.Cleaning, open: colors.text, none: colors.Offline }[progress];
  return {
    color,
    weight: progress === 'begun' ? 3 : progress === 'open' ? 2 : 1,
    fillColor: progress === 'done' ? color : colors.surface,
    fillOpacity: 1,
  };
}

function boundsOf(sites: readonly SiteMark[]): [[number, number], [number, number]] {
  const [latitudes, longitudes] = [sites.map(({ latitude }) => latitude), sites.map(({ longitude }) => longitude)];
  return [
    [Math.min(...latitudes), Math.min(...longitudes)],
    [Math.max(...latitudes), Math.max(...longitudes)],
  ];
}
