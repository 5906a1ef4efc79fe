import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { TimelineStrip } from '../../charts/TimelineStrip';
import { useUpdateSearch } from '../../crud/shared/useUpdateSearch';
import { formatDateTime } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import type { MachineRow } from './machineRow';

const minute = 60_000;
const day = 24 * 60 * minute;
const thisMinute = () => Math.floor(serverNow() / minute) * minute;

const spans = { day, week: 7 * day };
type Span = keyof typeof spans;

/**
 * The machine's last 24 hours or seven days; updates every minute and with each state change. With `?at=` in the
 * URL it shows the day around that time.
 */
export function RecentTimeline({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const [to, setTo] = useState(thisMinute);
  const [span, setSpan] = useState<Span>('day');
  useEffect(() => {
    const timer = setInterval(() => setTo(thisMinute()), minute);
    return () => clearInterval(timer);
  }, []);
  const [search] = useSearchParams();
  const updateSearch = useUpdateSearch();
  const instant = Date.parse(search.get('at') ?? '') || undefined;
  const visibleEnd = instant === undefined ? undefined : Math.min(to, instant + day / 2);
  const length = instant === undefined ? spans[span] : day;
  // The end of the period is not part of the key: it moves every minute, and the last segment lasts until an event.
  const key = ['machines', 'timeline', machine.id, span, instant];
  const { data: segments, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => {
      const now = visibleEnd ?? serverNow();
      const query = { from: new Date(now - length - minute).toISOString(), to: new Date(now).toISOString() };
      return call('GET /machines/{id}/timeline', { params: { id: machine.id }, query, signal }).then(
        ({ data }) => data,
      );
    },
    refetchInterval: 15 * minute,
  });
  useLive(`resource/machines/${machine.id}`, ({ payload }) => {
    if (payload && 'status' in payload) void client.invalidateQueries({ queryKey: key.slice(0, 3) });
  });
  const choose = (next: Span) => {
    setSpan(next);
    updateSearch({ at: undefined });
  };
  // A machine that never sent a message has no states to draw.
  const drawnSegments = machine.last_seen ? segments : [];
  return (
    <TimelineStrip
      key={instant}
      title={
        instant === undefined
          ? translate(`machine.last_${span}`)
          : translate('machine.around', { time: formatDateTime(instant) })
      }
      segments={drawnSegments ?? (isPending ? undefined : [])}
      from={(visibleEnd ?? to) - length}
      to={visibleEnd ?? Math.max(to, serverNow())}
      moment={instant}
      periodSelector={<SpanChoice span={instant === undefined ? span : undefined} onChoose={choose} />}
    />
  );
}

function SpanChoice({ span, onChoose }: { span: Span | undefined; onChoose: (span: Span) => void }) {
  const translate = useTranslate();
  return (
    <fieldset className="sl-period__groups">
      <legend className="sl-hidden">{translate('charts.period')}</legend>
      {(['day', 'week'] as const).map((option) => (
        <label key={option}>
          <input type="radio" name="span" value={option} checked={span === option} onChange={() => onChoose(option)} />
          <span>{translate(`machine.last_${option}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
