import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslate } from 'react-admin';
import { lastPieceEnd, pieceAt, piecesOf, type TimelinePoint } from '../../charts/fleetRows';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { StateMark } from '../../ui/StateMark';
import { useDebouncedValue } from '../../ui/useDebouncedValue';

interface TimelineTooltipProps {
  point: TimelinePoint | undefined;
  /** Start of the displayed period, in milliseconds since the Unix epoch. */
  start: number;
  /** Last clock tick, in seconds since `start`. */
  until: number;
}

/** Describes the piece under the pointer: machine, state and start. Loads the reason once the pointer rests. */
export const TimelineTooltip = memo(function TimelineTooltip({ point, start, until }: TimelineTooltipProps) {
  const translate = useTranslate();
  const piece = point && pieceAt(piecesOf(point.machine, lastPieceEnd(point.machine, until)), point.second);
  const time = point && start + point.second * 1000;
  const restingPoint = useDebouncedValue(time && point ? `${point.machine.id} ${Math.floor(time)}` : '', 150);
  const [id, instant] = restingPoint.split(' ').map(Number);
  const { data } = useQuery({
    queryKey: ['machines', 'moment', id, instant],
    queryFn: ({ signal }) => {
      const [from, to] = [0, 1000].map((offset) => new Date((instant as number) + offset).toISOString());
      return call('GET /machines/{id}/timeline', { params: { id: id as number }, query: { from, to }, signal });
    },
    enabled: id !== undefined && id > 0 && instant !== undefined && piece?.state !== undefined,
  });
  const exactMoment =
    point && id === point.machine.id && instant === Math.floor(time ?? 0) ? data?.data.at(-1) : undefined;
  const since = exactMoment?.from ?? (piece && new Date(start + piece.since * 1000).toISOString());
  return (
    <p className="sl-fleet__status" role="status">
      {!point && translate('timeline.hint')}
      {point && <strong>{point.machine.serial_number}</strong>}
      {piece?.state && <StateMark state={exactMoment?.state ?? piece.state} />}
      {piece && !piece.state && <span>{translate('timeline.unheard')}</span>}
      {piece?.state && since && <span>{translate('machine.since', { time: formatDateTime(since) })}</span>}
      {exactMoment?.reason && <span>{exactMoment.reason}</span>}
    </p>
  );
});
