import type { Point } from '../../../schema/dsl/polygons';
import { areaOf, type PlanArea, type PlanFloor, type PlanZone } from './planPlaces';
import { usePlanImage } from './usePlanImage';
import { zoneStyle } from './ZonePatterns';

interface Props {
  label: string;
  floor: PlanFloor;
  zones: readonly PlanZone[];
  coverage: { image: string | null; bounds: PlanArea | null };
  legs: readonly (readonly Point[])[];
  /** Positions to be numbered, such as interruptions. */
  marks: readonly Point[];
}

/** About the maximum number of points of all printed legs together. */
const maxPoints = 3000;

/** The whole plan as one picture for printing, where a Leaflet map would show only what the screen shows. */
export function PlanPicture({ label, floor, zones, coverage, legs, marks }: Props) {
  const { url } = usePlanImage(floor);
  const area = areaOf(floor, zones, legs.flat());
  const lineWidth = Math.max(area.width, area.height) / 500;
  const pointStep = Math.ceil(legs.flat().length / maxPoints);
  return (
    <svg
      className="sl-plan-picture"
      role="img"
      aria-label={label}
      viewBox={`${area.x} ${-area.y - area.height} ${area.width} ${area.height}`}
    >
      {url && floor.width_m !== null && floor.height_m !== null && <Picture href={url} area={area} />}
      <rect {...rectOf(area)} fill="none" stroke="#7b8893" strokeWidth={lineWidth} />
      {coverage.image && coverage.bounds && <Picture href={coverage.image} area={coverage.bounds} />}
      {zones.map(({ id, kind, polygon }) => (
        <polygon
          key={id}
          points={printPoints(polygon)}
          fill="none"
          stroke={String(zoneStyle(kind).color)}
          strokeWidth={2 * lineWidth}
          strokeDasharray={kind === 'clean' ? undefined : `${(kind === 'dock' ? 2 : 6) * lineWidth} ${4 * lineWidth}`}
        />
      ))}
      {legs.map((leg, index) => (
        <polyline
          // biome-ignore lint/suspicious/noArrayIndexKey: legs have no other key and keep their order
          key={index}
          points={printPoints(leg.filter((_, index) => index % pointStep === 0 || index === leg.length - 1))}
          fill="none"
          stroke="#14202b"
          strokeOpacity="0.75"
          strokeWidth={lineWidth}
        />
      ))}
      {zones.map((zone) => {
        const { x, y, width, height } = areaOf(undefined, [zone]);
        return (
          <text key={zone.id} x={x + width / 2} y={-y - height / 2} fontSize={9 * lineWidth} textAnchor="middle">
            {zone.name}
          </text>
        );
      })}
      {marks.map(([x, y], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several marks may be at the same place
        <g key={index}>
          <circle cx={x} cy={-y} r={8 * lineWidth} fill="#fff" stroke="#b42318" strokeWidth={2 * lineWidth} />
          <text x={x} y={-y} fontSize={9 * lineWidth} textAnchor="middle" dominantBaseline="central">
            {index + 1}
          </text>
        </g>
      ))}
    </svg>
  );
}

const rectOf = ({ x, y, width, height }: PlanArea) => ({ x, y: -y - height, width, height });
const Picture = ({ href, area }: { href: string; area: PlanArea }) => (
  <image href={href} {...rectOf(area)} preserveAspectRatio="none" />
);
const printPoints = (points: readonly Point[]) =>
  points.map(([x, y]) => `${x.toFixed(2)},${(-y).toFixed(2)}`).join(' ');
