import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Segment } from '../../charts/segments';
import { TimelineStrip } from '../../charts/TimelineStrip';
import { api } from '../../providers/http';
import { useLive } from '../../providers/live';
import type { MachineRow } from './machine';

const minute = 60_000;
const day = 24 * 60 * minute;
const thisMinute = () => Math.floor(Date.now() / minute) * minute;

/** The machine's last 24 hours, moving on with every minute and every change of state. */
export function LastDay({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const [to, setTo] = useState(thisMinute);
  useEffect(() => {
    const timer = setInterval(() => setTo(thisMinute()), minute);
    return () => clearInterval(timer);
  }, []);
  const key = ['machines', 'timeline', machine.id];
  const { data: segments } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => {
      const now = Date.now();
      const period = `from=${new Date(now - day - minute).toISOString()}&to=${new Date(now).toISOString()}`;
      return api<{ data: Segment[] }>(`machines/${machine.id}/timeline?${period}`, { signal }).then(({ data }) => data);
    },
    refetchInterval: 15 * minute,
  });
  useLive(`resource/machines/${machine.id}`, ({ payload }) => {
    if (payload && 'status' in payload) void client.invalidateQueries({ queryKey: key });
  });
  // A machine that never reported has no states to draw, only the lack of any.
  const known = machine.last_seen ? segments : undefined;
  return <TimelineStrip title={translate('machine.last_day')} segments={known ?? []} from={to - day} to={Math.max(to, Date.now())} />;
}
