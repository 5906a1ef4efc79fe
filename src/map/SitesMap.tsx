import { CircleMarker } from 'react-leaflet';
import { BaseMap } from './BaseMap';
import { MarkLabel } from './MarkLabel';
import { progressRadii, progressStyle, type SiteProgress } from './SiteProgressMark';
import { useMapColors } from './useMapColors';

interface SiteMark {
  id: number;
  label: string;
  latitude: number;
  longitude: number;
  progress: SiteProgress;
}

interface Props {
  label: string;
  /** At least one, in drawing order: later sites are on top. */
  sites: readonly SiteMark[];
  onSite: (id: number) => void;
}

/** Sites marked by their progress. Marks differ in size and filling, not only in colour. */
export const SitesMap = ({ label, sites, onSite }: Props) => {
  const colors = useMapColors();
  return (
    <BaseMap label={label} colors={colors} bounds={leafletBoundsOf(sites)}>
      {sites.map(({ id, label: name, latitude, longitude, progress }) => (
        <CircleMarker
          key={id}
          center={[latitude, longitude]}
          radius={progressRadii[progress]}
          pathOptions={progressStyle(progress, colors)}
          eventHandlers={{ click: () => onSite(id) }}
        >
          <MarkLabel text={name} direction="top" />
        </CircleMarker>
      ))}
    </BaseMap>
  );
};

function leafletBoundsOf(sites: readonly SiteMark[]): [[number, number], [number, number]] {
  const [latitudes, longitudes] = [sites.map(({ latitude }) => latitude), sites.map(({ longitude }) => longitude)];
  return [
    [Math.min(...latitudes), Math.min(...longitudes)],
    [Math.max(...latitudes), Math.max(...longitudes)],
  ];
}
