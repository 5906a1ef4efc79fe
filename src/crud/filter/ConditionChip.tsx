import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { removalOf } from '../shared/removal';
import type { Condition } from './conditions';
import { Phrased } from './Phrased';

interface FilterChipProps {
  name: string;
  /** The condition in words; absent if the name says everything. */
  phrase?: string;
  onChange?: () => void;
  onRemove: () => void;
}

/** An active filter: a click edits it, × removes it. */
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

/** Chip of a list that shows its trash. */
export const BinChip = ({ entity, onRemove }: Pick<FilterChipProps, 'onRemove'> & { entity: Entity }) => (
  <FilterChip name={useTranslate()(removalOf(entity).bin.label)} onRemove={onRemove} />
);

interface ConditionChipProps extends Required<Pick<FilterChipProps, 'onChange' | 'onRemove'>> {
  entity: Entity;
  condition: Condition;
}

export const ConditionChip = ({ entity, condition, ...acts }: ConditionChipProps) => (
  <Phrased entity={entity} condition={condition}>
    {(name, phrase) => <FilterChip name={name} phrase={phrase} {...acts} />}
  </Phrased>
);
