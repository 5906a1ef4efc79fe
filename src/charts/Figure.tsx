import './charts.css';
import { lazy, type ReactNode, useId } from 'react';
import { useTranslate } from 'react-admin';
import { AfterPaint } from '../ui/AfterPaint';
import type { BarsProps } from './Bars';
import { ChartFrame } from './ChartFrame';
import type { ChartName } from './chartPages';
import { Swatch } from './Patterns';

const Bars = lazy(async () => ({ default: (await import('./Bars')).Bars }));

interface Props extends Omit<BarsProps, 'scope' | 'label'> {
  name: ChartName;
  /** What the chart shows, as a sentence. */
  title: string;
  /** A further figure below the title. */
  note?: string | undefined;
  /** The printed sum of each series, shown next to its name. */
  totals: readonly string[];
  /** The same figures as a table. */
  table: ReactNode;
}

/** A chart with its message as title, its series with their sums, and a collapsed table of the same figures. */
export function Figure({ name, title, note, totals, table, ...bars }: Props) {
  const translate = useTranslate();
  const scope = `chart${useId().replaceAll(/[^a-z0-9]/gi, '')}`;
  return (
    <ChartFrame className="sl-chart" name={name} title={title} table={table}>
      <figcaption>
        <h2>{title}</h2>
        {note && <p className="sl-figure-note">{note}</p>}
        {bars.series.length > 1 && (
          <ul className="sl-chart__series">
            {bars.series.map(({ kind, label }, index) => (
              <li key={kind}>
                <Swatch kind={kind} scope={scope} />
                {label} <b>{totals[index]}</b>
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div className="sl-chart__chart" style={{ minHeight: bars.height }}>
        <AfterPaint fallback={<p role="status">{translate('frame.loading')}</p>}>
          <Bars {...bars} label={title} scope={scope} />
        </AfterPaint>
      </div>
    </ChartFrame>
  );
}
