import { memo, useMemo } from 'react';
import { stateFields, stateOf } from '../../charts/figures';
import { piecesOf, statePaths, type TimelineMachine, untilOf } from '../../charts/fleetRows';
import { fillOf, Patterns } from '../../charts/Patterns';

interface TimelinePiecesProps {
  machine: TimelineMachine;
  /** Length of the displayed period in seconds. `until`: second of the last clock tick in it. */
  length: number;
  until: number;
  /** Pixels. */
  width: number;
}

const kindOf = Object.fromEntries(stateFields.map((field) => [stateOf[field], field]));

/** The pieces of a machine as one path per state. Memoized, so that it renders only when they change. */
export const TimelinePieces = memo(({ machine, length, until, width }: TimelinePiecesProps) => {
  const paths = useMemo(
    () => statePaths(piecesOf(machine, untilOf(machine, until)), { length, width }),
    [machine, length, until, width],
  );
  return paths.map(({ state, path }) => (
    <path
      key={state ?? 'gap'}
      d={path}
      fill={state ? fillOf(kindOf[state] ?? 'offline', 'fleet') : 'url(#fleet-gap)'}
    />
  ));
});
TimelinePieces.displayName = 'TimelinePieces';

/** The fill patterns of the pieces; include once per page. */
export const TimelinePatterns = memo(() => (
  <svg className="sl-fleet__patterns" aria-hidden="true">
    <Patterns kinds={stateFields} scope="fleet" />
    <defs>
      <pattern id="fleet-gap" width="6" height="6" patternUnits="userSpaceOnUse">
        <path d="M0 6L6 0" stroke="var(--sl-control)" strokeWidth="1" />
      </pattern>
    </defs>
  </svg>
));
TimelinePatterns.displayName = 'TimelinePatterns';
