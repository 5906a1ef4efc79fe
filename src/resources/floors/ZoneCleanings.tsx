import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { polygonArea } from '../../../schema/dsl/polygons';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDate, formatDayOf, formatNumber, formatPercent } from '../../i18n/format';
import type { ZoneRow } from '../../map/plan/zoneDrafts';
import { call } from '../../providers/call';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import type { FloorRecord } from './floorRecord';

interface Props {
  floor: FloorRecord;
  zones: readonly ZoneRow[];
  /** Covered share of each zone in the period, from 0 to 1. */
  shares: readonly { id: number; covered: number }[];
}

/** Zones to be cleaned with their covered share and last cleaning; overdue ones come first. */
export function ZoneCleanings({ floor, zones, shares }: Props) {
  const translate = useTranslate();
  const language = useLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ['zones', 'cleanings', floor.id, floor.version],
    queryFn: ({ signal }) => call('GET /floors/{id}/zone-cleanings', { params: { id: floor.id }, signal }),
  });
  if (error && !data)
    return <LoadFailed title={translate('floors.cleanings_failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingNotice what="data" />;
  const rows = data.data
    .flatMap((cleaning) => {
      const zone = zones.find(({ id }) => id === cleaning.zone_id);
      return zone ? [{ ...cleaning, zone, covered: shares.find(({ id }) => id === zone.id)?.covered }] : [];
    })
    .sort((a, b) => b.days_overdue - a.days_overdue || a.zone.name.localeCompare(b.zone.name, language));
  const number = (value: number, decimals = 0) => formatNumber(value, { language, decimals });

  return (
    <div className="sl-section">
      <h2>{translate('floors.cleanings')}</h2>
      {rows.length === 0 ? (
        <p>{translate('floors.no_clean_zones')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="sl-floor-scroll" tabIndex={0} aria-label={translate('floors.cleanings')}>
          <table className="sl-floor-table">
            <thead>
              <tr>
                <th scope="col">{translate('resources.zones.name', { smart_count: 1 })}</th>
                <th scope="col">{translate('resources.zones.fields.area_m2')}</th>
                <th scope="col">{translate('floors.covered_share')}</th>
                <th scope="col">{translate('floors.last_cleaned')}</th>
                <th scope="col">{translate('floors.due')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ zone, zone_id, covered, cleaned_at, due_on, days_overdue }) => (
                <tr key={zone_id}>
                  <th scope="row">{zone.name}</th>
                  <td>
                    {translate('floors.m2', { area: number(polygonArea(zone.polygon as [number, number][]), 1) })}
                  </td>
                  <td>{covered === undefined ? '–' : formatPercent(covered * 100, { language, decimals: 0 })}</td>
                  <td>
                    {cleaned_at
                      ? formatDayOf(cleaned_at, floor.location?.time_zone)
                      : translate('floors.never_cleaned')}
                  </td>
                  <td data-overdue={days_overdue > 0}>
                    {due_on === null
                      ? translate('floors.no_rhythm')
                      : days_overdue > 0
                        ? translate('floors.overdue', { smart_count: days_overdue, day: formatDate(due_on) })
                        : formatDate(due_on)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className="sl-floor-help">{translate('floors.cleanings_help')}</p>
    </div>
  );
}
