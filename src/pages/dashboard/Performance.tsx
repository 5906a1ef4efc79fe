import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { performanceDays } from '../../../schema/features/dashboard';
import { formatDate } from '../../i18n/format';
import { LoadFailed } from '../../ui/LoadFailed';
import { PerformanceCards } from './PerformanceCards';
import { usePerformance, usePerformanceDays, useRunFigures } from './usePerformance';

/** Performance of the fleet in the period given in the URL. Reserves its space while loading. */
export const Performance = () => {
  const translate = useTranslate();
  const id = useId();
  const [days, setDays] = usePerformanceDays();
  const { data, error, refetch, isPlaceholderData } = usePerformance(days);
  const performance = data?.data;
  const runs = useRunFigures(days);
  // Waits for both responses, so that nothing moves when the later one arrives. If the figures of runs fail, the rest
  // is shown without them.
  const isReady = performance !== undefined && !runs.isLoading;
  return (
    <section className="sl-performance" aria-labelledby={id}>
      <header>
        <h2 id={id}>{translate('performance.title')}</h2>
        {performance && (
          <p>
            {formatDate(performance.from)} – {formatDate(performance.to)}
          </p>
        )}
        <label className="sl-performance__period">
          <span className="sl-hidden">{translate('charts.period')}</span>
          <select className="sl-select" value={days} onChange={({ target }) => setDays(target.value)}>
            {performanceDays.map((length) => (
              <option key={length} value={length}>
                {translate('dashboard.last_days', { smart_count: Number(length) })}
              </option>
            ))}
          </select>
        </label>
      </header>
      {performance?.is_incomplete && (
        <p className="sl-notice sl-notice-info" role="status">
          {translate('performance.incomplete')}
        </p>
      )}
      {error && !performance ? (
        <LoadFailed title={translate('dashboard.error')} error={error} onRetry={refetch} />
      ) : (
        <div className="sl-performance__cards" data-dimmed={isPlaceholderData} aria-busy={!isReady}>
          {isReady && <PerformanceCards performance={performance} runs={runs.data?.data} />}
        </div>
      )}
    </section>
  );
};
