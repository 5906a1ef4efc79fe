import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../layout/Icon';
import { filteredBy } from '../../providers/filter';
import { entityNamed, titleOf } from '../entities';
import type { Condition } from '../filter/conditions';
import { phraseOf } from '../filter/phrases';
import { useLanguage } from '../language';
import { removalOf } from '../removal';
import { filterLabel, formFor } from './filters';

interface FilterChipProps {
  name: string;
  /** What it asks for; none where the name says all. */
  phrase?: string;
  onChange?: () => void;
  onRemove: () => void;
}

/** A filter in force: what it asks for, a click changes it, × removes it. */
const FilterChip = ({ name, phrase, onChange, onRemove }: FilterChipProps) => {
  const translate = useTranslate();
  const text = (
    <>
      <span className="sl-chip-name">{name}</span>
      {phrase && (
        <span className="sl-chip-value" title={phrase}>
          {phrase}
        </span>
      )}
    </>
  );
  return (
    <span className="sl-chip">
      {onChange ? (
        <button type="button" className="sl-chip-text" aria-haspopup="dialog" onClick={onChange}>
          {text}
        </button>
      ) : (
        <span className="sl-chip-text">{text}</span>
      )}
      <button
        type="button"
        className="sl-chip-remove"
        aria-label={translate('filters.remove', { name })}
        title={translate('filters.remove', { name })}
        onClick={onRemove}
      >
        <Icon name="close" size={14} />
      </button>
    </span>
  );
};

/** The list shows its bin. */
export const BinChip = ({ entity, onRemove }: Pick<FilterChipProps, 'onRemove'> & { entity: Entity }) => (
  <FilterChip name={useTranslate()(removalOf(entity).bin.label)} onRemove={onRemove} />
);

interface ConditionChipProps extends Required<Pick<FilterChipProps, 'onChange' | 'onRemove'>> {
  entity: Entity;
  condition: Condition;
}

export const ConditionChip = (props: ConditionChipProps) => {
  const field = filteredBy(props.entity, props.condition.path);
  const isRows = field && formFor(field) === 'rows' && props.condition.values.length > 0;
  return isRows ? <RowsChip {...props} /> : <SaidChip {...props} />;
};

const SaidChip = ({ entity, condition, rowName, ...acts }: ConditionChipProps & { rowName?: (id: number) => string }) => {
  const translate = useTranslate();
  const language = useLanguage();
  return <FilterChip name={filterLabel(entity, condition.path, translate)} phrase={phraseOf({ entity, condition, translate, language, rowName })} {...acts} />;
};

/** Rows asked for, by their names. */
const RowsChip = (props: ConditionChipProps) => {
  const language = useLanguage();
  const target = filteredBy(props.entity, props.condition.path)?.to as string;
  const ids = props.condition.values.filter((value) => value !== 'null').map(Number);
  const { data } = useGetManyAggregate<RaRecord>(target, { ids });
  const rowName = (id: number) =>
    titleOf(
      entityNamed(target),
      data?.find((row) => row?.id === id),
      language,
    ) || `#${id}`;
  return <SaidChip {...props} rowName={rowName} />;
};
