import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { useWatch } from 'react-hook-form';
import { Link } from 'react-router-dom';
import type { AlertPreview } from '../../../schema/endpoints/alerts';
import { type AlertMetric, thresholds } from '../../../schema/entities/alert_rules';
import { pathOf } from '../../crud/shared/paths';
import { formatDateTime } from '../../i18n/format';
import { call } from '../../providers/call';
import { useDebouncedValue } from '../../ui/useDebouncedValue';

const parameters = [
  'client_id',
  'fleet_id',
  'location_id',
  'view_id',
  'metric',
  'state',
  'threshold',
  'error_code',
  'hold_time',
] as const;
interface RulePreviewRequest {
  client_id: number;
  metric: AlertMetric;
  threshold: number;
}

/** Whether the condition is complete enough for a preview. */
function isComplete({ client_id, metric, threshold }: Partial<RulePreviewRequest>): boolean {
  const range = metric && thresholds[metric];
  return (
    client_id !== undefined && (!range || (threshold !== undefined && threshold >= range.min && threshold <= range.max))
  );
}

/** Milliseconds between the last keystroke and the request. */
const typingDelay = 600;

/** Shows how often the rule in the form would have fired in the last 30 days. */
export function RulePreview() {
  const translate = useTranslate();
  const values = useWatch({ name: parameters });
  const body = useDebouncedValue(
    JSON.stringify(Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? undefined]))),
    typingDelay,
  );
  const isReady = isComplete(JSON.parse(body) as Partial<RulePreviewRequest>);
  const { data, isError, isFetching, refetch } = useQuery({
    enabled: isReady,
    queryKey: ['alert_rules', 'preview', body],
    queryFn: async ({ signal }) =>
      (await call('POST /alert_rules/preview', { body: JSON.parse(body) as Record<string, unknown>, signal })).data,
    placeholderData: (previous) => previous,
    retry: false,
    meta: { quiet: true },
  });
  return (
    <section
      className="sl-rule-preview"
      aria-label={translate('alerting.preview')}
      aria-live="polite"
      aria-busy={isFetching}
    >
      <h3>{translate('alerting.preview')}</h3>
      <p>
        {isError || !isReady || !data
          ? translate(isFetching && !isError ? 'frame.loading' : 'alerting.incomplete')
          : sentence(data)}
      </p>
      {!isError && isReady && data && data.unread_zones > 0 && (
        <p className="sl-rule-partial">
          {translate('alerting.partial', {
            read: data.watched_zones - data.unread_zones,
            smart_count: data.watched_zones,
          })}{' '}
          <button type="button" className="sl-button" disabled={isFetching} onClick={() => void refetch()}>
            {translate('alerting.go_on')}
          </button>
        </p>
      )}
      {!isError && isReady && data && data.count > 0 && (
        <ol>
          {data.firings.slice(0, maxListed).map(({ at, until, place, machines, zones }) => (
            <li key={`${at} ${machines[0]?.id} ${zones[0]?.id}`}>
              <time dateTime={at}>{formatDateTime(at)}</time>
              <span>
                {machines.map(({ id, serial_number }, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    <Link to={pathOf('machines', id)}>{serial_number}</Link>
                  </span>
                ))}
                {zones.map(({ id, name, floor }, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    <Link to={pathOf('floors', floor.id)}>{name}</Link>
                  </span>
                ))}
                {place && ` · ${[...new Set(zones.map(({ floor }) => floor.name)), place].join(', ')}`}
              </span>
              <span className="sl-rule-until">
                {until === null ? translate('alerting.still') : `– ${formatDateTime(until)}`}
              </span>
            </li>
          ))}
        </ol>
      )}
      {!isError && isReady && data && data.count > maxListed && (
        <p className="sl-rule-until">{translate('alerting.more', { count: maxListed })}</p>
      )}
    </section>
  );

  function sentence({ count, machines, zones }: AlertPreview): string {
    if (count === 0) return translate('alerting.never');
    return translate('alerting.fired', {
      smart_count: count,
      // The metric in the form may differ from the one that the response is about.
      machines:
        zones > 0
          ? translate('resources.zones.counted', { smart_count: zones })
          : translate('resources.machines.counted', { smart_count: machines }),
    });
  }
}

const maxListed = 8;
