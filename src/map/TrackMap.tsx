import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { CircleMarker, Polyline } from 'react-leaflet';
import { BaseMap } from './BaseMap';
import { MarkLabel } from './MarkLabel';
import { legsOf, type TrackPoint, trackPositionAt } from './track';
import { useMapColors } from './useMapColors';
import { useReplay } from './useReplay';

interface Props {
  name: string;
  /** At least one point, ordered by time. */
  track: readonly TrackPoint[];
  /** Gaps longer than this many milliseconds break the track. */
  silence: number;
  /** Prints times in the same format as the page. */
  printTime: (ms: number) => string;
}

/** A machine's track with start and end, and a slider through time. */
export function TrackMap({ name, track, silence, printTime }: Props) {
  const translate = useTranslate();
  const colors = useMapColors();
  const legs = useMemo(
    () =>
      legsOf(track, silence).map((leg) =>
        leg.map(({ latitude, longitude }): [number, number] => [latitude, longitude]),
      ),
    [track, silence],
  );
  const start = Date.parse(track[0]?.at ?? '');
  const trackEnd = Date.parse(track.at(-1)?.at ?? '');
  const { moment, setMoment, isPlaying, toggle } = useReplay(start, trackEnd);
  const first = legs[0]?.[0];
  const lastPosition = legs.at(-1)?.at(-1);
  const currentPosition = trackPositionAt(track, moment, silence);
  if (!first || !lastPosition || !currentPosition) return null;

  return (
    <div>
      <div className="sl-trackmap">
        <BaseMap label={translate('map.track_of', { name })} colors={colors} bounds={legs.flat()}>
          <Polyline positions={legs} interactive={false} pathOptions={{ color: colors.accent, weight: 3 }} />
          <CircleMarker
            center={first}
            radius={7}
            pathOptions={{ color: colors.accent, fillColor: colors.surface, fillOpacity: 1, weight: 3 }}
          >
            <MarkLabel text={translate('map.start')} permanent direction="top" offset={[0, -6]} />
          </CircleMarker>
          <CircleMarker
            center={lastPosition}
            radius={7}
            pathOptions={{ color: colors.surface, fillColor: colors.accent, fillOpacity: 1, weight: 2 }}
          >
            <MarkLabel text={translate('map.end')} permanent direction="bottom" offset={[0, 6]} />
          </CircleMarker>
          <CircleMarker
            center={currentPosition}
            radius={9}
            interactive={false}
            pathOptions={{ color: colors.text, fillColor: colors.Charging, fillOpacity: 1, weight: 2 }}
          />
        </BaseMap>
      </div>
      <div className="sl-replay">
        <button type="button" className="sl-button" onClick={toggle}>
          {translate(isPlaying ? 'map.pause' : 'map.play')}
        </button>
        <input
          type="range"
          aria-label={translate('map.moment')}
          aria-valuetext={printTime(moment)}
          min={start}
          max={trackEnd}
          step={1000}
          value={moment}
          onChange={({ target }) => setMoment(Number(target.value))}
        />
        <output>{printTime(moment)}</output>
      </div>
    </div>
  );
}
