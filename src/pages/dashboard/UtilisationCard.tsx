import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { FleetPerformance } from '../../../schema/endpoints/dashboard';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration } from '../../i18n/format';
import { PerformanceCard } from './PerformanceCard';
import { shareLevelOf, sharePrinter } from './shareLevels';

type TypeRow = FleetPerformance['types'][number];

/** Mean cleaning time per machine and day, by machine type, compared with the optimum that the type declares. */
export const UtilisationCard = ({ types }: { types: readonly TypeRow[] }) => {
  const translate = useTranslate();
  const language = useLanguage();
  const percent = sharePrinter(language);
  const maxSeconds = Math.max(
    ...types.map(({ cleaning, optimal_cleaning_time }) => Math.max(cleaning, optimal_cleaning_time ?? 0)),
    1,
  );
  return (
    <PerformanceCard className="sl-utilisation" title={translate('performance.utilisation')}>
      <p className="sl-figure-note">{translate('performance.utilisation_note')}</p>
      <table>
        <thead className="sl-hidden">
          <tr>
            <th scope="col">{translate('resources.types.name', { smart_count: 1 })}</th>
            <th scope="col">{translate('performance.utilisation')}</th>
            <th scope="col">{translate('performance.per_day')}</th>
            <th scope="col">{translate('performance.judgement')}</th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => {
            const share = shareOf(type);
            const level = share === undefined ? undefined : shareLevelOf(share);
            return (
              <tr key={type.id}>
                <th scope="row">
                  <Link to={machinesPath(type.id)}>{type.name}</Link>
                  <span>{translate('resources.machines.counted', { smart_count: type.machines })}</span>
                </th>
                <td>
                  <div className="sl-utilisation__track" data-level={level ?? 'none'}>
                    <i style={{ width: `${(type.cleaning / maxSeconds) * 100}%` }} />
                    {type.optimal_cleaning_time && (
                      <b style={{ insetInlineStart: `${(type.optimal_cleaning_time / maxSeconds) * 100}%` }} />
                    )}
                  </div>
                </td>
                <td>{formatDuration(type.cleaning, language)}</td>
                <td>
                  {level && share !== undefined ? (
                    <span className="sl-level" data-level={level}>
                      {percent(share)} · {translate(`performance.used_${level}`)}
                    </span>
                  ) : (
                    <span className="sl-none">{translate('performance.no_optimum')}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </PerformanceCard>
  );
};

const shareOf = ({ cleaning, optimal_cleaning_time: optimum }: TypeRow): number | undefined =>
  optimum ? cleaning / optimum : undefined;

/** Path of the list of the machines counted for a type, the least used first. */
function machinesPath(typeId: number): string {
  const filter = JSON.stringify({ type_id: [typeId], stock_state: ['deployed'], is_dummy: false });
  return `/machines?${new URLSearchParams({ filter, sort: 'cleaning_time', order: 'ASC', page: '1' })}`;
}
