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
  const [question, changeQuestion] = useAccessRequest();
  const { data, error, refetch } = useAccess(question);
  const crumbs = [{ headerName: 'resources.users.plural', link: '/users' }, { headerName: 'access.title' }];
  return (
    <>
      <PageHead title={translate('access.title')} crumbs={crumbs} />
      <p className="sl-access-lead">{translate('access.lead')}</p>
      <AccessForm question={question} changeQuestion={changeQuestion} />
      {question.user === undefined && <p className="sl-access-none">{translate('access.choose')}</p>}
      {question.user !== undefined && error && !data && (
        <LoadFailed title={translate('access.error')} error={error} onRetry={refetch} />
      )}
      {question.user !== undefined && data && <AccessExplanation question={question} result={data.data} />}
    </>
  );
}

function AccessForm({
  question,
  changeQuestion,
}: {
  question: AccessRequest;
  changeQuestion: (change: Partial<AccessRequest>) => void;
}) {
  const translate = useTranslate();
  const users = findEntity('users');
  const target = findEntity(question.resource);
  const resources = entities.filter(({ name }) => can(name, 'show') || name === question.resource);
  if (!users || !target) return null;
  return (
    <form className="sl-access-form" onSubmit={(event) => event.preventDefault()}>
      <div className="sl-filter-field">
        <span>{translate('resources.users.name', 1)}</span>
        <RowPicker
          entity={users}
          label={translate('resources.users.name', 1)}
          value={question.user === undefined ? [] : [question.user]}
          onChange={([user]) => changeQuestion({ user })}
        />
      </div>
      <label className="sl-filter-field">
        {translate('users.resource')}
        <select
          className="sl-select"
          value={question.resource}
          onChange={({ target: { value } }) => changeQuestion({ resource: value, action: 'show' })}
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
          value={question.action}
          onChange={({ target: { value } }) => changeQuestion({ action: value })}
        >
          {actionsOf(question.resource).map((action) => (
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
          value={question.id === undefined ? [] : [question.id]}
          onChange={([id]) => changeQuestion({ id })}
        />
      </div>
    </form>
  );
}
