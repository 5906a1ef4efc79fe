import './history.css';
import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { FieldDisplay } from '../fields/FieldDisplay';
import type { FieldChange } from './fieldChange';
import { RestoreValue } from './RestoreValue';

interface ChangesProps {
  /** Entity of the changed row. */
  entity: Entity;
  changes: readonly FieldChange[];
  /** The current row; without it, earlier values cannot be restored. */
  record?: RaRecord;
}

/** The values of each field before and after, shown by the field's renderer. */
export const Changes = ({ entity, changes, record }: ChangesProps) => {
  const translate = useTranslate();
  const order = Object.keys(entity.fields);
  const sortedChanges = [...changes].sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
  return (
    <dl className="sl-changes">
      {sortedChanges.map((change) => (
        <div key={change.field}>
          <dt>{translate(`resources.${entity.name}.fields.${change.field}`, { _: change.field })}</dt>
          <dd>
            <Values entity={entity} change={change} />
            {record && <RestoreValue entity={entity} record={record} change={change} />}
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Old and new value of a field, or only the new one if it was empty. For passwords, only shows that they changed. */
const Values = ({ entity, change: { field, before, after } }: { entity: Entity; change: FieldChange }) => {
  const translate = useTranslate();
  if (entity.fields[field]?.kind === 'password') return <span>{translate('resources.audit.choices.action.edit')}</span>;
  const isNew = before === null;
  return (
    <span className="sl-change">
      {!isNew && (
        <>
          <span className="sl-hidden">{translate('history.before')}: </span>
          <del>
            <Value entity={entity} field={field} value={before} />
          </del>
          <Icon name="next" size={16} />
          <span className="sl-hidden">{translate('history.after')}: </span>
        </>
      )}
      <ins>
        <Value entity={entity} field={field} value={after} />
      </ins>
    </span>
  );
};

const Value = ({ entity, field, value }: { entity: Entity; field: string; value: unknown }) => {
  const translate = useTranslate();
  if (value === null) return <span className="sl-nothing">{translate('history.nothing')}</span>;
  return <FieldDisplay entity={entity} source={field} record={{ [field]: value }} />;
};
