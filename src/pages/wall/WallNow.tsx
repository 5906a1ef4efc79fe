import { useTranslate } from 'react-admin';
import type { WorkFigures } from '../../../schema/endpoints/dashboard';
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { stateOrder } from '../../../schema/features/dashboard';
import { localeOf } from '../../../schema/shared/languages';
import { useLanguage } from '../../crud/shared/useLanguage';
import { useReportedAreaText } from '../../crud/shared/useReportedAreaText';
import { formatDuration, formatNumber, keepTogether } from '../../i18n/format';
import { serverNow } from '../../i18n/serverClock';
import { useInbox } from '../../providers/useInbox';
import { Icon } from '../../ui/Icon';
import { StateMark } from '../../ui/StateMark';
import { describeInboxItem, severityIcons } from '../dashboard/describeInboxItem';
import { InboxDetails } from '../dashboard/InboxDetails';
import { autonomyOf, sharePrinter } from '../dashboard/shareLevels';
import { useDashboard } from '../dashboard/useDashboard';
import { useWallSize } from './useWallSize';
import { WallFigure } from './WallFigure';

/** The fleet now: machines per state, the inbox, and today's work. */
export const WallNow = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const figures = useDashboard().data?.data;
  const print = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value, { language }));
  const weekday = new Intl.DateTimeFormat(localeOf(language), { weekday: 'long' }).format(serverNow());
  const area = (work: WorkFigures | undefined) => work && print(Math.round(work.area_m2));
  const squareMetres = (value: string | undefined) => value && `${value}\u00a0m²`;
  const hours = (work: WorkFigures | undefined) => work && formatDuration(work.cleaning, language);
  const comparison = (value: string | undefined) =>
    value && translate('dashboard.week_ago', { weekday, value: keepTogether(value) });
  const { today, week_ago } = figures?.work ?? {};
  const reportedArea = useReportedAreaText()(today?.reported_area_m2);
  return (
    <>
      <section className="sl-wall__states" aria-label={translate('dashboard.states')}>
        {stateOrder.map((state) => (
          <WallFigure key={state} label={<StateMark state={state} />} value={print(figures?.states[state])} />
        ))}
        <div className="sl-states__bar" aria-hidden="true">
          {stateOrder
            .filter((state) => figures?.states[state])
            .map((state) => (
              <span
                key={state}
                className="sl-states__part"
                data-state={state.toLowerCase()}
                style={{ flexGrow: figures?.states[state] }}
              />
            ))}
        </div>
      </section>
      <WallInbox />
      <section className="sl-wall__today" aria-label={translate('dashboard.work')}>
        <h2>{translate('dashboard.work')}</h2>
        <WallFigure
          label={translate('dashboard.area')}
          value={area(today)}
          unit="m²"
          note={[reportedArea, comparison(squareMetres(area(week_ago)))].filter(Boolean).join(' · ')}
        />
        <WallFigure label={translate('dashboard.hours')} value={hours(today)} note={comparison(hours(week_ago))} />
        <WallFigure
          label={translate('dashboard.autonomy')}
          value={figures && sharePrinter(language)(autonomyOf(figures.autonomy))}
          note={translate('dashboard.autonomy_note')}
        />
      </section>
    </>
  );
};

/** Number of inbox items that fit on a landscape and on a portrait screen. */
const [maxItems, maxItemsUpright] = [7, 8];

const WallInbox = () => {
  const translate = useTranslate();
  const language = useLanguage();
  const { data } = useInbox();
  const { width, height } = useWallSize();
  return (
    <section className="sl-wall__inbox">
      <h2>
        {translate('inbox.title')} {data && `(${formatNumber(data.total, { language })})`}
      </h2>
      {data?.total === 0 && <p className="sl-wall__calm">{translate('inbox.none')}</p>}
      <ul>
        {data?.items.slice(0, height > width ? maxItemsUpright : maxItems).map((item) => (
          <WallItem key={item.key} item={item} />
        ))}
      </ul>
    </section>
  );
};

const WallItem = ({ item }: { item: InboxItem }) => {
  const translate = useTranslate();
  const { title, details } = describeInboxItem(item, translate);
  const severity = translate(`resources.alerts.choices.severity.${item.severity}`);
  return (
    <li data-severity={item.severity}>
      <strong>{title}</strong>
      <span>
        <Icon name={severityIcons[item.severity]} size={22} /> {severity}
        {(item.since || details.length > 0) && ' · '}
        <InboxDetails item={item} details={details} />
      </span>
    </li>
  );
};
