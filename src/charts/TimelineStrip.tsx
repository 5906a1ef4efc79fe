import './charts.css';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { StateName } from '../../schema/entities/machines';
import { StateMark } from '../ui/StateMark';
import { type ChartSegment, clock, isLong, placedIn, shortDay, sourceName, spanOf, ticksIn } from './segments';
import { TableBehind } from './TableBehind';

interface Props {
  title: string;
  segments: readonly ChartSegment[];
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Selects the piece at this moment instead of the last one. */
  moment?: number;
  /** Control for the period, beside the title. */
  choice?: ReactNode;
}

/** States of a machine over a period, one piece per segment; arrow keys move between the pieces. */
export function TimelineStrip({ title, segments, from, to, moment, choice }: Props) {
  const translate = useTranslate();
  const bar = useRef<HTMLUListElement>(null);
  const placed = placedIn(segments, { from, to });
  const [pickedIndex, setPickedIndex] = useState<number>();
  const at = moment === undefined ? -1 : placed.findIndex((piece) => moment < piece.to);
  const last = placed.length - 1;
  const reached = Math.min(pickedIndex ?? (at < 0 ? last : at), last);
  const active = placed[reached];
  const word = (state: StateName) => translate(`resources.machines.choices.status.${state}`);

  const move = ({ key, preventDefault }: KeyboardEvent) => {
    const next = { ArrowRight: reached + 1, ArrowLeft: reached - 1, Home: 0, End: placed.length - 1 }[key];
    if (next === undefined || !placed[next]) return;
    preventDefault();
    setPickedIndex(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };

  return (
    <section className="sl-strip" aria-label={title}>
      <div className="sl-strip__head">
        <h2>{title}</h2>
        {choice}
      </div>
      <ul
        ref={bar}
        className="sl-strip__bar"
        onKeyDown={(event) => move({ ...event, preventDefault: () => event.preventDefault() })}
      >
        {placed.map((piece, index) => (
          <li key={piece.from}>
            <button
              type="button"
              className={`is-${piece.state.toLowerCase()}`}
              style={{ left: `${piece.left}%`, width: `${piece.width}%` }}
              tabIndex={index === reached ? 0 : -1}
              aria-label={[word(piece.state), spanOf(piece, to).join(' – '), piece.reason].filter(Boolean).join(', ')}
              onFocus={() => setPickedIndex(index)}
              onMouseEnter={() => setPickedIndex(index)}
            />
          </li>
        ))}
      </ul>
      <div className="sl-strip__hours" aria-hidden="true">
        {ticksIn({ from, to }).map(({ at, left }) => (
          <span key={at} style={{ left: `${left}%` }}>
            {isLong({ from, to }) ? shortDay(at) : clock(at)}
          </span>
        ))}
      </div>
      {active ? (
        <p className="sl-strip__told">
          <StateMark state={active.state} /> <span>{spanOf(active, to).join(' – ')}</span> <span>{active.reason}</span>
          {active.source && (
            <span className="sl-strip__source">
              {translate('machine.told_by', { source: sourceName(active.source) })}
            </span>
          )}
        </p>
      ) : (
        <p className="sl-strip__told">{translate('machine.timeline_empty')}</p>
      )}
      {placed.length > 0 && (
        <TableBehind title={title}>
          <table>
            <thead>
              <tr>
                {['machine.from', 'machine.to', 'machine.state', 'machine.reason', 'machine.source'].map((key) => (
                  <th key={key}>{translate(key)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {placed.toReversed().map((piece) => (
                <tr key={piece.from}>
                  <td>{spanOf(piece, to)[0]}</td>
                  <td>{spanOf(piece, to)[1]}</td>
                  <td>{word(piece.state)}</td>
                  <td>{piece.reason}</td>
                  <td>{piece.source && sourceName(piece.source)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBehind>
      )}
    </section>
  );
}
