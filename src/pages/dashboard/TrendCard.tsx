import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { changeOf } from '../../charts/compare';
import { Sparkline } from '../../charts/Sparkline';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatShare, keepTogether } from '../../i18n/format';
import { FigureValue } from './FigureTile';

interface ChangeProps {
  /** `undefined` if there is nothing to measure. */
  now: number | undefined;
  before: number | undefined;
  print: (value: number) => string;
}

interface TrendCardProps extends ChangeProps {
  label: string;
  /** Printed after the value. */
  unit?: string;
  /** By day; `undefined` on days without anything to measure. */
  values: readonly (number | undefined)[];
  /** Path of the list or report behind the figure. */
  to: string;
}

/** A figure of the period with its trend and change. An increase counts as an improvement. */
export const TrendCard = ({ label, now, before, print, unit, values, to }: TrendCardProps) => {
  const translate = useTranslate();
  const printWithUnit = (value: number) => (unit ? `${print(value)} ${unit}` : print(value));
  return (
    <Link to={to} className="sl-trend">
      <span className="sl-figure-label">{label}</span>
      <span className="sl-trend__figure">
        <FigureValue
          value={now === undefined ? translate('dashboard.no_rate') : print(now)}
          unit={now === undefined ? undefined : unit}
        />
        <Sparkline values={values} />
      </span>
      <TrendChange now={now} before={before} print={printWithUnit} />
    </Link>
  );
};

/** Change of a figure, marked as better or worse, and the previous figure. */
export const TrendChange = ({ now, before, print }: ChangeProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  if (now === undefined || before === undefined) return <span className="sl-figure-note">{noBreak}</span>;
  const change = changeOf(now, before);
  const direction = change === undefined || Math.abs(change) < 0.005 ? 'same' : change > 0 ? 'better' : 'worse';
  return (
    <span className="sl-figure-note">
      {change !== undefined && (
        <>
          <b className="sl-trend__change" data-direction={direction}>
            {direction === 'same'
              ? translate('performance.same')
              : `${formatShare(change, { language, isChange: true })} ${translate(`performance.${direction}`)}`}
          </b>
          {' · '}
        </>
      )}
      {translate('charts.before', { value: keepTogether(print(before)) })}
    </span>
  );
};

const noBreak = '\u00a0';
