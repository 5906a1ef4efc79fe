import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { EndpointResponse } from '../../../schema/endpoints';
import { type Language, localeOf } from '../../../schema/shared/languages';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDuration, formatMoney, formatNumber } from '../../i18n/format';
import { call } from '../../providers/call';
import type { MachineRow } from './machineRow';
import { PeriodForm } from './PeriodForm';
import { usePeriod } from './usePeriod';

/** Costs of the machine in a period: service and depreciation, also per cleaning hour and per square metre. */
export function Costs({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { period, choose } = usePeriod({ timeZone: machine.location?.time_zone, days: 90 });
  const { from, to } = period;
  const { data, isError, isPlaceholderData } = useQuery<EndpointResponse<'GET /machines/{id}/costs'>['data']>({
    queryKey: ['machines', 'costs', machine.id, from, to],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/costs', { params: { id: machine.id }, query: { from, to }, signal }).then(
        (response) => response.data,
      ),
    placeholderData: keepPreviousData,
  });
  const row = (label: string, value: string | null) => (
    <div key={label}>
      <dt>{translate(label)}</dt>
      <dd className="sl-numeral">{value ?? '–'}</dd>
    </div>
  );
  return (
    <section className="sl-section" aria-busy={!data && !isError}>
      <h2>{translate('service.costs')}</h2>
      <PeriodForm period={period} onChoose={choose} />
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {data && (
        <dl className="sl-values sl-service__costs" data-dimmed={isPlaceholderData}>
          {row('service.per_hour', data.per_cleaning_hour && formatMoney(data.per_cleaning_hour, language))}
          {row('service.per_m2', data.per_m2 && formatUnitCost(data.per_m2, language))}
          {row('service.cost_service', formatMoney(data.service, language))}
          {row('service.depreciation', formatMoney(data.depreciation, language))}
          {row('machine.total', formatMoney(data.total, language))}
          {row('resources.machines.fields.cleaning_time', formatDuration(data.cleaning, language))}
          {row('machine.area', `${formatNumber(Math.round(data.area_m2), { language })} m²`)}
        </dl>
      )}
    </section>
  );
}

/** Prints an amount in euros with four decimals, since the costs per square metre may be below a cent. */
const formatUnitCost = (amount: string, language: Language) =>
  new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: 'EUR', minimumFractionDigits: 4 }).format(
    amount as `${number}`,
  );
