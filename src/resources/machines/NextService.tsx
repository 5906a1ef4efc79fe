import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { ServicePlanForecast } from '../../../schema/endpoints/machines';
import { usePathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import type { MachineRow } from './machineRow';
import { DueDay } from './renderers';

/** The next service with its reason, and the plans from which it follows. */
export function NextService({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { data, isError } = useQuery({
    queryKey: ['machines', 'service', machine.id, language],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/service', { params: { id: machine.id }, signal }).then((response) => response.data),
  });
  const source = encodeURIComponent(JSON.stringify({ machine_id: machine.id }));
  return (
    <section className="sl-section sl-service__next" aria-busy={!data && !isError}>
      <h2>{translate('service.next')}</h2>
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {data && (
        <>
          {data.due && (
            <p className="sl-service__day">
              <DueDay day={data.due} />
            </p>
          )}
          <p className="sl-service__reason">{data.reason ?? translate('service.none')}</p>
          {data.plans.length > 0 && (
            <ul className="sl-service__plans">
              {data.plans.map((plan) => (
                <PlanItem key={plan.id} plan={plan} />
              ))}
            </ul>
          )}
        </>
      )}
      {can('service_plans', 'create') && (
        <Link className="sl-button" to={`/service_plans/create?source=${source}`}>
          {translate('resources.service_plans.add')}
        </Link>
      )}
    </section>
  );
}

function PlanItem({ plan }: { plan: ServicePlanForecast }) {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const intervals = [
    ...(plan.every_months === null ? [] : [translate('service.every_months', { smart_count: plan.every_months })]),
    ...(plan.every_hours === null ? [] : [translate('service.every_hours', { smart_count: plan.every_hours })]),
  ];
  return (
    <li>
      {/* Only users with global scope can read plans of machine types. */}
      {plan.own && can('service_plans', 'show') ? (
        <Link to={pathOf('service_plans', plan.id)}>{plan.name}</Link>
      ) : (
        <strong>{plan.name}</strong>
      )}
      <span>
        {intervals.join(` ${translate('filters.or')} `)}
        {intervals.length > 1 && `, ${translate('service.first')}`}
      </span>
      <span className="sl-service__small">{translate(plan.own ? 'service.own' : 'service.of_type')}</span>
    </li>
  );
}
