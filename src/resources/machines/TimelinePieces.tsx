import { memo } from 'react';
import { stateFields, stateOf } from '../../charts/figures';
import { lastPieceEnd, piecesOf, statePaths, type TimelineMachine } from '../../charts/fleetRows';
import { kindFill, Patterns } from '../../charts/Patterns';

/** Scale of the bars. `length`: seconds of the displayed period; `until`: its last clock tick; `width`: pixels. */
export interface TimelineScale {
  length: number;
  until: number;
  width: number;
}

const kindOf = Object.fromEntries(stateFields.map((field) => [stateOf[field], field]));

/** The pieces of machines as one path per state. `top`: upper edge of the machine's bar, in pixels. */
export function TimelinePieces({
  bars,
  scale: { length, until, width },
}: {
  bars: readonly { machine: TimelineMachine; top: number }[];
  scale: TimelineScale;
}) {
  const drawnBars = bars.map(({ machine, top }) => ({ top, pieces: piecesOf(machine, lastPieceEnd(machine, until)) }));
  return statePaths(drawnBars, { length, width }).map(({ state, path }) => (
    <path
      key={state ?? 'gap'}
      d={path}
      fill={state ? kindFill(kindOf[state] ?? 'offline', 'fleet') : 'url(#fleet-gap)'}
    />
  ));
}

/** The fill patterns of the pieces; include once per page. */
export const TimelinePatterns = memo(function TimelinePatterns() {
  return (
    <svg className="sl-fleet__patterns" aria-hidden="true">
      <Patterns kinds={stateFields} scope="fleet" />
      <defs>
        <pattern id="fleet-gap" width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M0 6L6 0" stroke="var(--sl-control)" strokeWidth="1" />
        </pattern>
      </defs>
    </svg>
  );
});
