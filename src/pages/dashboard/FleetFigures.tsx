import { useTranslate } from 'react-admin';
import type { DashboardFigures, WorkFigures } from '../../../schema/endpoints/dashboard';
import {
  type AttentionFigure,
  attentionFigures,
  attentionList,
  missedDay,
  silentHours,
} from '../../../schema/features/dashboard';
import { localeOf } from '../../../schema/shared/languages';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatDate, formatHours, formatNumber, formatShare, keepTogether } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { can } from '../../providers/auth';
import { CountGroup } from './CountGroup';
import { FigureGroup } from './FigureGroup';
import { FigureTile, filteredListPath } from './FigureTile';

/** The lists from which each figure is counted. */
const countedFrom: Record<AttentionFigure, readonly string[]> = {
  alerts: ['alerts'],
  silent: ['machines'],
  service_due: ['machines'],
  missed_cleaning: ['locations', 'machines'],
};

interface Props {
  figures: DashboardFigures | undefined;
}

/** Counts of open findings by kind, with links to their rows. The inbox groups the same findings. */
export const NeedsAttention = ({ figures }: Props) => {
  const translate = useTranslate();
  const now = new Date(serverNow());
  const day = missedDay(now);
  const visible = attentionFigures.filter((attention) => countedFrom[attention].every((name) => can(name, 'list')));
  if (visible.length === 0) return null;
  const notes = {
    alerts: undefined,
    silent: translate('dashboard.silent_note', { smart_count: silentHours }),
    service_due: undefined,
    missed_cleaning: formatDate(day),
  };
  return (
    <CountGroup
      title={translate('dashboard.attention')}
      note={translate('dashboard.attention_note', { inbox: translate('inbox.title') })}
      counts={visible.map((attention) => ({
        name: attention,
        label: translate(`dashboard.${attention}`),
        note: notes[attention],
        value: figures?.attention[attention],
        to:
          attention === 'missed_cleaning'
            ? `/locations/calendar?state=missed&day=${day}`
            : filteredListPath(attentionList(attention, now)),
        urgent: true,
      }))}
    />
  );
};

/** Cleaned area and time today, compared with the same weekday a week ago, and the autonomy rate. */
export const WorkToday = ({ figures }: Props) => {
  const translate = useTranslate();
  const language = useLanguage();
  const weekday = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long' }).format(serverNow());
  const beforeText = (value: string | undefined, unit: string) =>
    value && translate('dashboard.week_ago', { weekday, value: keepTogether(`${value} ${unit}`) });
  const area = (work: WorkFigures | undefined) => work && formatNumber(Math.round(work.area_m2), { language });
  const hours = (work: WorkFigures | undefined) => work && formatHours(work.cleaning, language);
  const reportedArea = useReportedAreaText()(figures?.work.today.reported_area_m2);
  const { robotic = 0, manual = 0 } = figures?.autonomy ?? {};
  const rate =
    robotic + manual === 0 ? translate('dashboard.no_rate') : formatShare(robotic / (robotic + manual), { language });
  const detailsPath = can('locations', 'list') ? '/locations/calendar' : '/machines';
  return (
    <FigureGroup wide title={translate('dashboard.work')}>
      <FigureTile
        label={translate('dashboard.area')}
        value={area(figures?.work.today)}
        unit="m²"
        note={[reportedArea, beforeText(area(figures?.work.week_ago), 'm²')].filter(Boolean).join(' · ')}
        to={detailsPath}
      />
      <FigureTile
        label={translate('dashboard.hours')}
        value={hours(figures?.work.today)}
        unit="h"
        note={beforeText(hours(figures?.work.week_ago), 'h')}
        to={detailsPath}
      />
      <FigureTile
        label={translate('dashboard.autonomy')}
        value={figures && rate}
        note={translate('dashboard.autonomy_note')}
        to={byRoboticTime}
      />
    </FigureGroup>
  );
};

const byRoboticTime = `/machines?${new URLSearchParams({ sort: 'robotic_time', order: 'DESC', page: '1' })}`;
