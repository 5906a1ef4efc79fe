import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import { Suspense } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field } from '../../../schema/dsl/field';
import { Icon } from '../../layout/Icon';
import { lazyPage } from '../../layout/lazyPage';
import { type FilterValue, fieldAt } from '../../providers/filter';
import { entityNamed, titleOf } from '../entities';
import { useLanguage } from '../language';
import { Dropdown } from './Dropdown';
import { describeFilter, filterLabel, formFor, isNothingAsked, listOf } from './filters';

const FilterEditor = lazyPage(() => import('./FilterEditor'), 'FilterEditor');

interface FilterChipProps {
  entity: Entity;
  path: string;
  /** `undefined` while it is being added. */
  value: FilterValue | undefined;
  onChange: (value: FilterValue | undefined) => void;
  /** The editor was closed without an answer. */
  onLeave?: () => void;
}

/** A filter in force: what it asks for, a click changes it, × removes it. */
export const FilterChip = ({ entity, path, value, onChange, onLeave }: FilterChipProps) => {
  const translate = useTranslate();
  const field = fieldAt(entity, path.split('.'));
  const name = path === 'trashed' ? translate('list.trash') : filterLabel(entity, path, translate);
  const text = (
    <>
      <span className="sl-chip-name">{name}</span>
      {field && value !== undefined && <Said entity={entity} path={path} field={field} value={value} />}
    </>
  );
  return (
    <span className="sl-chip" data-begun={value === undefined}>
      {field && formFor(field) !== 'none' ? (
        <Dropdown
          className="sl-chip-text"
          title={name}
          open={value === undefined}
          onClose={onLeave}
          panel={(close) => (
            <Suspense fallback={<span className="sl-spinner" />}>
              <FilterEditor entity={entity} path={path} field={field} value={value} onChange={onChange} close={close} />
            </Suspense>
          )}
        >
          {text}
        </Dropdown>
      ) : (
        <span className="sl-chip-text">{text}</span>
      )}
      <button
        type="button"
        className="sl-chip-remove"
        aria-label={translate('filters.remove', { name })}
        title={translate('filters.remove', { name })}
        onClick={() => (value === undefined ? onLeave?.() : onChange(undefined))}
      >
        <Icon name="close" size={14} />
      </button>
    </span>
  );
};

type SaidProps = { entity: Entity; path: string; field: Field; value: FilterValue };

const Said = (props: SaidProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  if (formFor(props.field) === 'rows' && !isNothingAsked(props.value)) return <SaidRows {...props} />;
  return <span className="sl-chip-value">{describeFilter({ ...props, translate, language })}</span>;
};

/** Rows asked for, by their names. */
const SaidRows = ({ field, value }: SaidProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const ids = listOf(value).map(Number);
  const { data } = useGetManyAggregate<RaRecord>(field.to as string, { ids });
  const names = ids.map(
    (id) =>
      titleOf(
        entityNamed(field.to),
        data?.find((row) => row?.id === id),
        language,
      ) || `#${id}`,
  );
  return <span className="sl-chip-value">{names.join(` ${translate('filters.or')} `)}</span>;
};
