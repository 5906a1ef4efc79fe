import { type MouseEvent, memo, type PointerEvent } from 'react';
import { barHeight, rowHeight, type TimelineMachine, type TimelinePoint, untilOf } from '../../charts/fleetRows';
import { usePathOf } from '../../crud/shared/paths';
import { TimelinePieces } from './TimelinePieces';

interface TimelineBarProps {
  machine: TimelineMachine;
  /** The machine's current state in words. */
  stateLabel: string;
  index: number;
  /** Total number of rows. */
  count: number;
  /** Whether the Tab key enters the timeline at this row. */
  isEntry: boolean;
  /** Length of the displayed period in seconds. `until`: second of the last clock tick in it. */
  length: number;
  until: number;
  /** Pixels. */
  width: number;
  /** Second under the pointer. */
  cursor: number | undefined;
  onPoint: (point: TimelinePoint) => void;
  onFocus: (index: number) => void;
  onOpen: (point: TimelinePoint) => void;
  /** Whether the machine is open beside the timeline. A click on its name calls `onPeek`, which opens it there. */
  isPeeked: boolean;
  onPeek: ((id: number) => void) | undefined;
}

/**
 * One machine: its name, and its pieces as one path per state. A click on a piece opens the machine's page at that
 * time; a click on the name opens the machine beside the timeline. Memoized, so that scrolling renders only rows that
 * come into view.
 */
export const TimelineBar = memo((props: TimelineBarProps) => {
  const { machine, stateLabel, index, count, isEntry, cursor, onPoint, onFocus, onOpen, isPeeked, onPeek } = props;
  const { length, until, width } = props;
  const pathOf = usePathOf();
  const lastSecond = untilOf(machine, until) - 1;
  const second = (x: number) => Math.max(0, Math.min((x / width) * length, lastSecond));
  const pointAt = (event: MouseEvent<HTMLElement> | PointerEvent<HTMLElement>): TimelinePoint => {
    const bar = event.currentTarget.querySelector('svg')?.getBoundingClientRect();
    // A click by the Enter key has no position.
    const isAtBar = bar && event.detail > 0 && event.clientX >= bar.left;
    return { machine, second: isAtBar ? second(event.clientX - bar.left) : (cursor ?? lastSecond) };
  };
  return (
    <li style={{ top: index * rowHeight }} aria-setsize={count} aria-posinset={index + 1}>
      <a
        className="sl-fleet__row"
        href={pathOf('machines', machine.id)}
        data-row={index}
        data-id={machine.id}
        aria-current={isPeeked || undefined}
        tabIndex={isEntry ? 0 : -1}
        aria-label={`${machine.serial_number}, ${stateLabel}`}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          const isName = event.detail > 0 && event.target instanceof HTMLSpanElement;
          if (isName && onPeek) onPeek(machine.id);
          else onOpen(pointAt(event));
        }}
        onFocus={() => onFocus(index)}
        onPointerMove={(event) => {
          const bar = event.currentTarget.querySelector('svg')?.getBoundingClientRect();
          if (bar)
            onPoint({ machine, second: event.clientX < bar.left ? lastSecond : second(event.clientX - bar.left) });
        }}
      >
        <span>{machine.serial_number}</span>
        <svg
          width={width}
          height={barHeight}
          viewBox={`0 0 ${width} ${barHeight}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <TimelinePieces machine={machine} length={length} until={until} width={width} />
          {cursor !== undefined && (
            <line
              className="sl-fleet__cursor"
              x1={(cursor / length) * width}
              x2={(cursor / length) * width}
              y2={barHeight}
            />
          )}
        </svg>
      </a>
    </li>
  );
});
TimelineBar.displayName = 'TimelineBar';
