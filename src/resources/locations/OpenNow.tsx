import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';

/** "Open until 24.12.2026 18:00" in the time zone of the location; nothing if its hours are unknown. */
export const OpenNow = ({ location }: { location: number }) => {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: ['locations', 'opening', location],
    queryFn: ({ signal }) => call('GET /locations/{id}/opening', { params: { id: location }, signal }),
    refetchInterval: 60_000,
    meta: { quiet: true },
  });
  if (!data || data.data.open === null) return null;
  const { open, changes_at, time_zone, days } = data.data;
  const time = changes_at && formatDateTime(changes_at, { timeZone: time_zone });
  const holiday = days[0]?.holiday;
  return (
    <p className="sl-open-now" data-open={open}>
      {translate(textOf(open, time), { time })}
      {holiday && ` · ${translate('hours.today')}: ${holiday}`}
    </p>
  );
};

const textOf = (open: boolean, until: string | null) =>
  open ? (until ? 'hours.open_until' : 'hours.open_now') : until ? 'hours.closed_until' : 'hours.closed_now';
