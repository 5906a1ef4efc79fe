import { memo } from 'react';
import { type Identifier, useTranslate } from 'react-admin';
import { barHeight, rowHeight, stateNow, type TimelineRow } from '../../charts/fleetRows';
import { usePathOf } from '../../crud/shared/paths';
import { useCountText } from '../../crud/shared/useCountText';
import { TimelinePieces, type TimelineScale } from './TimelinePieces';

interface BlockProps {
  rows: readonly TimelineRow[];
  /** Index of the first row among all rows. */
  first: number;
}

interface TimelineLinksProps extends BlockProps {
  /** Total number of rows. */
  count: number;
  /** State names in the user's language; `unheard` is the name for machines that have sent no message. */
  stateLabels: Readonly<Record<string, string>>;
  /** Index of the row that the Tab key focuses, if it is in this block. */
  entry: number | undefined;
  /** Machine whose preview is open, if it is in this block. */
  previewedId: Identifier | undefined;
}

/**
 * The names of adjacent rows: headings, and machines as links. Memoized, so that scrolling renders only blocks that
 * come into view. `TimelineRows` handles their events, since handlers per row would cost more than the rows.
 */
export const TimelineLinks = memo(function TimelineLinks({
  rows,
  first,
  count,
  stateLabels,
  entry,
  previewedId,
}: TimelineLinksProps) {
  const translate = useTranslate();
  const countText = useCountText();
  const pathOf = usePathOf();
  return rows.map((row, offset) => {
    const index = first + offset;
    const style = { top: index * rowHeight };
    if (row.kind === 'group')
      return (
        <li key={`group ${row.id}`} className="sl-fleet__group" style={style}>
          {row.name ?? translate('timeline.no_group')}
          <small>{countText('resources.machines.counted', row.count)}</small>
        </li>
      );
    const { id, serial_number } = row.machine;
    return (
      <li key={id} style={style} aria-setsize={count} aria-posinset={index + 1}>
        <a
          className="sl-fleet__row"
          href={pathOf('machines', id)}
          data-row={index}
          data-id={id}
          aria-current={id === previewedId || undefined}
          tabIndex={index === entry ? 0 : -1}
          aria-label={`${serial_number}, ${stateLabels[stateNow(row.machine) ?? 'unheard'] ?? ''}`}
        >
          {serial_number}
        </a>
      </li>
    );
  });
}, isSameBlock);

interface TimelineBarsProps extends BlockProps {
  scale: TimelineScale;
}

/** The bars of adjacent rows as one drawing. */
export const TimelineBars = memo(function TimelineBars({ rows, first, scale }: TimelineBarsProps) {
  const bars = rows.flatMap((row, offset) =>
    row.kind === 'machine' ? [{ machine: row.machine, top: offset * rowHeight + (rowHeight - barHeight) / 2 }] : [],
  );
  const height = rows.length * rowHeight;
  return (
    <div style={{ top: first * rowHeight }}>
      <svg
        width={scale.width}
        height={height}
        viewBox={`0 0 ${scale.width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <TimelinePieces bars={bars} scale={scale} />
      </svg>
    </div>
  );
}, isSameBlock);

/** Whether a block looks the same. Compares rows one by one, since an event about one machine replaces the list. */
function isSameBlock<T extends BlockProps>(before: T, after: T): boolean {
  const names = Object.keys(after) as (keyof T)[];
  return (
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => isSameRow(row, after.rows[index] as TimelineRow)) &&
    names.every((name) => name === 'rows' || before[name] === after[name])
  );
}

const isSameRow = (before: TimelineRow, after: TimelineRow): boolean =>
  before.kind === 'machine'
    ? after.kind === 'machine' && before.machine === after.machine
    : after.kind === 'group' && before.id === after.id && before.name === after.name && before.count === after.count;
