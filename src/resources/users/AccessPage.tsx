import '../../crud/record/record.css';
import './access.css';
import { useTranslate } from 'react-admin';
import { entities } from '../../../schema/index';
import { RowPicker } from '../../crud/fields/RowPicker';
import { findEntity } from '../../crud/shared/entities';
import { can } from '../../providers/auth';
import { LoadFailed } from '../../ui/LoadFailed';
import { PageHead } from '../../ui/PageHead';
import { AccessExplanation } from './AccessExplanation';
import { type AccessRequest, actionsOf, useAccess, useAccessRequest } from './access';

/** Explains a user's access to a row for an action: names the role, the permission and the path to the row. */
export function AccessPage() {
  const translate = useTranslate();
  const [request, changeRequest] = useAccessRequest();
  const { data, error, refetch } = useAccess(request);
  const crumbs = [{ headerName: 'resources.users.plural', link: '/users' }, { headerName: 'access.title' }];
  return (
    <>
      <PageHead title={translate('access.title')} crumbs={crumbs} />
      <p className="sl-access-lead">{translate('access.lead')}</p>
      <AccessForm request={request} changeRequest={changeRequest} />
      {request.user === undefined && <p className="sl-access-none">{translate('access.choose')}</p>}
      {request.user !== undefined && error && !data && (
        <LoadFailed title={translate('access.error')} error={error} onRetry={refetch} />
      )}
      {request.user !== undefined && data && <AccessExplanation request={request} result={data.data} />}
    </>
  );
}

function AccessForm({
  request,
  changeRequest,
}: {
  request: AccessRequest;
  changeRequest: (change: Partial<AccessRequest>) => void;
}) {
  const translate = useTranslate();
  const users = findEntity('users');
  const target = findEntity(request.resource);
  const resources = entities.filter(({ name }) => can(name, 'show') || name === request.resource);
  if (!users || !target) return null;
  return (
    <form className="sl-access-form" onSubmit={(event) => event.preventDefault()}>
      <div className="sl-filter-field">
        <span>{translate('resources.users.name', 1)}</span>
        <RowPicker
          entity={users}
          label={translate('resources.users.name', 1)}
          value={request.user === undefined ? [] : [request.user]}
          onChange={([user]) => changeRequest({ user })}
        />
      </div>
      <label className="sl-filter-field">
        {translate('users.resource')}
        <select
          className="sl-select"
          value={request.resource}
          onChange={({ target: { value } }) => changeRequest({ resource: value, action: 'show' })}
        >
          {resources.map(({ name }) => (
            <option key={name} value={name}>
              {translate(`resources.${name}.plural`)}
            </option>
          ))}
        </select>
      </label>
      <label className="sl-filter-field">
        {translate('access.action')}
        <select
          className="sl-select"
          value={request.action}
          onChange={({ target: { value } }) => changeRequest({ action: value })}
        >
          {actionsOf(request.resource).map((action) => (
            <option key={action} value={action}>
              {translate(`actions.${action}`)}
            </option>
          ))}
        </select>
      </label>
      <div className="sl-filter-field">
        <span>{translate(`resources.${target.name}.name`, 1)}</span>
        <RowPicker
          key={target.name}
          entity={target}
          label={translate(`resources.${target.name}.name`, 1)}
          value={request.id === undefined ? [] : [request.id]}
          onChange={([id]) => changeRequest({ id })}
        />
      </div>
    </form>
  );
}
