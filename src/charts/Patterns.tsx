import type { runOutcomes } from '../../schema/entities/runs';
import type { ModeField, StateField } from './figures';

export type SeriesKind = StateField | ModeField | (typeof runOutcomes)[number] | 'unknown' | 'area' | 'battery';

/** The theme's colour of each kind. */
export const kindColors: Record<SeriesKind, string> = {
  cleaning: 'var(--sl-cleaning)',
  charging: 'var(--sl-charging)',
  parked: 'var(--sl-parked)',
  online: 'var(--sl-online)',
  offline: 'var(--sl-offline)',
  robotic: 'var(--sl-cleaning)',
  manual: 'var(--sl-parked)',
  teaching: 'var(--sl-charging)',
  completed: 'var(--sl-success)',
  partial: 'var(--sl-warning)',
  aborted: 'var(--sl-parked)',
  failed: 'var(--sl-danger)',
  unknown: 'var(--sl-offline)',
  area: 'var(--sl-accent)',
  battery: 'var(--sl-charging)',
};

const patternLines: Record<SeriesKind, string> = {
  cleaning: '',
  charging: 'M0 8L8 0M-2 2L2-2M6 10L10 6',
  parked: 'M4 0V8',
  online: 'M0 4H8',
  offline: 'M0 0L8 8M6-2L10 2M-2 6L2 10',
  robotic: '',
  manual: 'M4 0V8',
  teaching: 'M0 8L8 0M-2 2L2-2M6 10L10 6',
  completed: '',
  partial: 'M0 8L8 0M-2 2L2-2M6 10L10 6',
  aborted: 'M4 0V8',
  failed: 'M0 0L8 8M6-2L10 2M-2 6L2 10M0 8L8 0',
  unknown: 'M0 4H8',
  area: '',
  battery: '',
};

/** Fill of a bar of this kind. `scope` prefixes the pattern's id, so that two charts on a page do not share ids. */
export const kindFill = (kind: SeriesKind, scope: string): string =>
  patternLines[kind] ? `url(#${scope}-${kind})` : kindColors[kind];

/** Patterns of the kinds, so that no bar differs by colour alone. */
export function Patterns({ kinds, scope }: { kinds: readonly SeriesKind[]; scope: string }) {
  return (
    <defs>
      {kinds
        .filter((kind) => patternLines[kind])
        .map((kind) => (
          <pattern key={kind} id={`${scope}-${kind}`} width="8" height="8" patternUnits="userSpaceOnUse">
            <rect width="8" height="8" fill={kindColors[kind]} fillOpacity={kind === 'offline' ? 0.25 : 0.55} />
            <path d={patternLines[kind]} stroke={kindColors[kind]} strokeWidth="2" />
          </pattern>
        ))}
    </defs>
  );
}

/** The swatch beside the label of a series. */
export function Swatch({ kind, scope }: { kind: SeriesKind; scope: string }) {
  return (
    <svg className="sl-chart__swatch" width="16" height="16" aria-hidden="true">
      <Patterns kinds={[kind]} scope={`${scope}-swatch`} />
      <rect
        x="0.5"
        y="0.5"
        width="15"
        height="15"
        rx="3"
        fill={kindFill(kind, `${scope}-swatch`)}
        stroke={kindColors[kind]}
      />
    </svg>
  );
}
