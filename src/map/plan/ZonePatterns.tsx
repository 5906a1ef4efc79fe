import type { PathOptions } from 'leaflet';
import { zoneKinds } from '../../../schema/entities/zones';
import type { ZoneKind } from './planPlaces';

/**
 * Colour, line and pattern of each kind; no two kinds differ by colour alone. Red diagonal lines are reserved for
 * missed area (`drawCoverage`), so a no-go zone, which is not a fault, has a grey lattice.
 */
const zoneStyles: Record<ZoneKind, { color: string; dash?: string; pattern: string; fill: number }> = {
  clean: { color: 'var(--sl-accent)', pattern: '', fill: 0.1 },
  no_go: { color: 'var(--sl-secondary)', dash: '8 5', pattern: 'M0 0L10 10M10 0L0 10', fill: 0.16 },
  dock: { color: 'var(--sl-charging)', dash: '2 5', pattern: 'M5 3V7M3 5H7', fill: 0.12 },
};

const patternId = (kind: ZoneKind) => `sl-zone-${kind}`;

/** Fill of a zone of this kind; the page must contain `ZonePatterns`. */
export const zoneFill = (kind: ZoneKind): string => `url(#${patternId(kind)})`;

/** Style of a zone for Leaflet's SVG renderer. */
export const zoneStyle = (kind: ZoneKind): PathOptions => ({
  color: zoneStyles[kind].color,
  dashArray: zoneStyles[kind].dash,
  weight: 2,
  fillColor: zoneFill(kind),
  fillOpacity: 1,
});

/** Fill patterns of zones; include once per page. */
export const ZonePatterns = () => (
  <svg className="sl-zone-patterns" width="0" height="0" aria-hidden="true">
    <defs>
      {zoneKinds.map((kind) => (
        <pattern key={kind} id={patternId(kind)} width="10" height="10" patternUnits="userSpaceOnUse">
          <rect width="10" height="10" fill={zoneStyles[kind].color} fillOpacity={zoneStyles[kind].fill} />
          {zoneStyles[kind].pattern && (
            <path d={zoneStyles[kind].pattern} stroke={zoneStyles[kind].color} strokeOpacity="0.55" strokeWidth="1.5" />
          )}
        </pattern>
      ))}
    </defs>
  </svg>
);

/** The mark of a kind, for legends. */
export const ZoneSwatch = ({ kind }: { kind: ZoneKind }) => (
  <svg className="sl-plan-swatch" width="18" height="14" aria-hidden="true">
    <rect
      x="1"
      y="1"
      width="16"
      height="12"
      fill={zoneFill(kind)}
      stroke={zoneStyles[kind].color}
      strokeWidth="2"
      strokeDasharray={zoneStyles[kind].dash && '3 2'}
    />
  </svg>
);
