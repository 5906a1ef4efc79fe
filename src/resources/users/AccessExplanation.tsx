import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { AccessResult } from '../../../schema/endpoints/people';
import { pathOf } from '../../crud/shared/paths';
import { useLanguage } from '../../crud/shared/useLanguage';
import { roleName } from '../../i18n/roles';
import { can } from '../../providers/auth';
import { Icon } from '../../ui/Icon';
import type { AccessRequest } from './access';

/** The result as a sentence, then its reasons: which roles have the permission, and which paths lead to the rows. */
export function AccessExplanation({ request, result }: { request: AccessRequest; result: AccessResult }) {
  const translate = useTranslate();
  const { allowed, permission, reach } = result;
  const action = translate(`actions.${request.action}`);
  const resource = translate(`resources.${request.resource}.plural`);
  return (
    <section className="sl-access-answer" aria-live="polite">
      <p className="sl-access-verdict" data-allowed={allowed}>
        <Icon name={allowed ? 'success' : 'error'} size={24} />
        {translate(
          allowed ? 'access.yes' : !(permission.held || permission.own) ? 'access.no_permission' : 'access.no_reach',
        )}
      </p>
      <div className="sl-section">
        <h2>{translate('access.permission', { action, resource })}</h2>
        <p className="sl-access-code">{permission.code}</p>
        <Roles permission={permission} />
      </div>
      <div className="sl-section">
        <h2>{translate(request.id === undefined ? 'access.reach_any' : 'access.reach')}</h2>
        <Reach reach={reach} isRowChecked={request.id !== undefined} />
      </div>
    </section>
  );
}

function Roles({ permission }: { permission: AccessResult['permission'] }) {
  const translate = useTranslate();
  const language = useLanguage();
  return (
    <ul className="sl-access-lines">
      {permission.roles.map(({ id, name, holds }) => (
        <Line key={id} holds={holds}>
          <RowName resource="roles" id={id} name={roleName(name, language)} />{' '}
          {translate(holds ? 'access.role_holds' : 'access.role_lacks')}
        </Line>
      ))}
      {permission.roles.length === 0 && <Line holds={false}>{translate('access.no_roles')}</Line>}
      {permission.own && <Line holds>{translate('access.own')}</Line>}
    </ul>
  );
}

function Reach({ reach, isRowChecked }: { reach: AccessResult['reach']; isRowChecked: boolean }) {
  const translate = useTranslate();
  const scope = (kind: string) => translate(`resources.roles.choices.scope.${kind}`, { _: translate('access.self') });
  if (reach.everything)
    return (
      <Lines>
        {[
          <Line key="all" holds>
            {translate(reach.everything === 'all' ? 'access.reaches_all' : 'access.reaches_global')}
          </Line>,
        ]}
      </Lines>
    );
  const reasons = reach.by.map(({ kind, resource, id, name }) => (
    <Line key={`${kind} ${resource} ${id}`} holds>
      {translate(`resources.${resource}.name`, 1)}:{' '}
      {name === null ? translate('access.hidden') : <RowName resource={resource} id={id} name={name} />} ({scope(kind)})
    </Line>
  ));
  if (reasons.length > 0) return <Lines>{reasons}</Lines>;
  const paths = reach.ways.map(({ kind, resource, count }) => (
    <Line key={`${kind} ${resource}`} holds={!isRowChecked && count > 0}>
      {translate(`resources.${resource}.plural`)}: {translate('access.linked', { smart_count: count })} ({scope(kind)})
    </Line>
  ));
  return (
    <Lines>
      {paths.length > 0
        ? paths
        : [
            <Line key="none" holds={reach.reached}>
              {translate(reach.reached ? 'access.reaches_some' : 'access.reaches_none')}
            </Line>,
          ]}
    </Lines>
  );
}

const Lines = ({ children }: { children: ReactNode[] }) => <ul className="sl-access-lines">{children}</ul>;

const Line = ({ holds, children }: { holds: boolean; children: ReactNode }) => {
  const translate = useTranslate();
  return (
    <li data-holds={holds}>
      <Icon name={holds ? 'check' : 'close'} size={16} />
      <span className="sl-hidden">{translate(holds ? 'frame.yes' : 'frame.no')}</span>
      <span>{children}</span>
    </li>
  );
};

const RowName = ({ resource, id, name }: { resource: string; id: number; name: string }) =>
  can(resource, 'show') ? (
    <Link className="sl-link" to={pathOf(resource, id)}>
      {name}
    </Link>
  ) : (
    <strong>{name}</strong>
  );
