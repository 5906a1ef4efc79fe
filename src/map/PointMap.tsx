import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import { Circle } from 'react-leaflet';
import type { StateName } from '../../schema/entities/machines';
import { BaseMap } from './BaseMap';
import { MachineMarks } from './MachineMarks';
import { useMapColors } from './useMapColors';

interface Props {
  machine: {
    id: number;
    serial_number: string;
    status: StateName;
    latitude: number;
    longitude: number;
    battery: number | null;
  };
  /** The machine's site; `radius` in metres. */
  site?: { latitude: number; longitude: number; radius: number | null };
}

/** Map of one machine's current position and its site. */
export function PointMap({ machine, site }: Props) {
  const translate = useTranslate();
  const colors = useMapColors();
  const initialPosition = useRef<[number, number]>([machine.latitude, machine.longitude]);
  return (
    <div className="sl-singlemap">
      <BaseMap
        label={translate('map.position_of', { name: machine.serial_number })}
        colors={colors}
        center={initialPosition.current}
        zoom={15}
      >
        {site?.radius ? (
          <Circle
            center={[site.latitude, site.longitude]}
            radius={site.radius}
            interactive={false}
            pathOptions={{ color: colors.accent, weight: 1, fillOpacity: 0.08 }}
          />
        ) : null}
        <MachineMarks
          result={{ clusters: [], points: [{ ...machine, fleet_color: null }], total: 1 }}
          colors={colors}
          highlightedId={undefined}
          onMachine={ignoreClick}
          onCluster={ignoreClick}
        />
      </BaseMap>
    </div>
  );
}

const ignoreClick = () => undefined;
