import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { localeOf } from '../../../schema/shared/languages';
import { changeOf } from '../../charts/compare';
import { Sparkline } from '../../charts/Sparkline';
import { useLanguage } from '../../crud/shared/useLanguage';
import { keepTogether } from '../../i18n/format';
import { FigureValue } from './FigureTile';

interface Props {
  label: string;
  /** `undefined` if there is nothing to measure. */
  now: number | undefined;
  before: number | undefined;
  print: (value: number) => string;
  values: readonly number[];
  /** Path of the list or report behind the figure. */
  to: string;
}

/** A figure of the period with its trend and change. An increase counts as an improvement. */
export const TrendCard = ({ label, now, before, print, values, to }: Props) => {
  const translate = useTranslate();
  return (
    <Link to={to} className="sl-trend">
      <span className="sl-figure-label">{label}</span>
      <span className="sl-trend__figure">
        <FigureValue text={now === undefined ? translate('dashboard.no_rate') : print(now)} />
        <Sparkline values={values} />
      </span>
      <TrendChange now={now} before={before} print={print} />
    </Link>
  );
};

/** Change of a figure, marked as better or worse, and the previous figure. */
export const TrendChange = ({ now, before, print }: Pick<Props, 'now' | 'before' | 'print'>) => {
  const translate = useTranslate();
  const language = useLanguage();
  if (now === undefined || before === undefined) return <span className="sl-figure-note">{noBreak}</span>;
  const change = changeOf(now, before);
  const percent = new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const direction = change === undefined || Math.abs(change) < 0.015 ? 'same' : change > 0 ? 'better' : 'worse';
  return (
    <span className="sl-figure-note">
      {change !== undefined && (
        <>
          <b className="sl-trend__change" data-direction={direction}>
            {direction === 'same'
              ? translate('performance.same')
              : `${percent.format(change)} ${translate(`performance.${direction}`)}`}
          </b>
          {' · '}
        </>
      )}
      {translate('charts.before', { value: keepTogether(print(before)) })}
    </span>
  );
};

const noBreak = '\u00a0';
