import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { useContext } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { RelativeTime } from '../../ui/RelativeTime';
import { FieldDisplay } from '../fields/FieldDisplay';
import { isReadable } from '../shared/entities';
import { JustChanged } from './useJustChanged';

interface DetailsProps {
  entity: Entity;
  record: RaRecord;
  groups?: readonly DetailGroup[];
  /** Fields to omit. */
  omittedFields?: readonly string[] | undefined;
  /** Whether to show when the row was created and last changed. */
  ages?: boolean;
}

/**
 * The fields of a row in the groups of its form, then server-written fields, counts of related rows, and timestamps.
 */
export const Details = ({
  entity,
  record,
  groups = detailGroups(entity),
  omittedFields = noFields,
  ages = true,
}: DetailsProps) => {
  const translate = useTranslate();
  const justChanged = useContext(JustChanged);
  return (
    <div className="sl-details">
      {groups.map(({ name, fields }) => (
        <section key={name} className="sl-section" aria-labelledby={`details-${name}`}>
          <h2 id={`details-${name}`}>
            {name === detailsGroup ? translate('record.details') : translate(`resources.${entity.name}.groups.${name}`)}
          </h2>
          <dl className="sl-values">
            {fields
              .filter((field) => !omittedFields.includes(field))
              .map((field) => (
                <div key={field} data-changed={justChanged.has(field) || undefined}>
                  <dt>
                    {translate(`resources.${entity.name}.fields.${field}`)}
                    {justChanged.has(field) && (
                      <span className="sl-changed-mark" role="status">
                        {translate('merge.changed_now')}
                      </span>
                    )}
                  </dt>
                  <dd>
                    <FieldDisplay entity={entity} source={field} record={record} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      {ages && (
        <footer className="sl-ages">
          <span>
            {translate(`resources.${entity.name}.fields.created_at`)} <RelativeTime value={record.created_at} />
          </span>
          <span>
            {translate(`resources.${entity.name}.fields.updated_at`)} <RelativeTime value={record.updated_at} />
          </span>
        </footer>
      )}
    </div>
  );
};

const noFields: readonly string[] = [];

export interface DetailGroup {
  name: string;
  fields: readonly string[];
}

const detailsGroup = 'details';
const commonFields = ['id', 'created_at', 'updated_at', 'version'];

/** The groups of the form, and a group of all other fields that the user may see. */
export function detailGroups(entity: Entity): DetailGroup[] {
  const isShown = (name: string) => {
    const field = entity.fields[name];
    return (
      field !== undefined &&
      field.kind !== 'password' &&
      isReadable(field) &&
      (field.kind !== 'many' || can(field.to as string, 'list'))
    );
  };
  const groups = Object.entries(entity.form).map(([name, fields]) => ({ name, fields: fields.filter(isShown) }));
  const grouped = groups.flatMap(({ fields }) => fields);
  const others = Object.keys(entity.fields).filter(
    (name) => !grouped.includes(name) && !commonFields.includes(name) && isShown(name),
  );
  return [...groups, { name: detailsGroup, fields: others }].filter(({ fields }) => fields.length > 0);
}
