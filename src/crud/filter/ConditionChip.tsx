import { useTranslate } from 'ra-core';
import type { ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { filterLabel } from '../shared/filters';
import { removalTextsOf } from '../shared/removalTexts';
import { ConditionTexts } from './ConditionTexts';
import type { Condition } from './conditions';

interface FilterChipProps {
  name: string;
  /** The filter in words. */
  children: ReactNode;
  onChange?: () => void;
  onRemove: () => void;
}

/** An active filter: a click edits it, × removes it. */
const FilterChip = ({ name, children, onChange, onRemove }: FilterChipProps) => {
  const translate = useTranslate();
  return (
    <span className="sl-chip">
      {onChange ? (
        <button type="button" className="sl-chip-text" aria-haspopup="dialog" onClick={onChange}>
          {children}
        </button>
      ) : (
        <span className="sl-chip-text">{children}</span>
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

/** Chip shown while the list contains soft-deleted rows. */
export const BinChip = ({ entity, onRemove }: Pick<FilterChipProps, 'onRemove'> & { entity: Entity }) => {
  const name = useTranslate()(removalTextsOf(entity).bin.label);
  return (
    <FilterChip name={name} onRemove={onRemove}>
      <span className="sl-chip-name">{name}</span>
    </FilterChip>
  );
};

interface ConditionChipProps extends Required<Pick<FilterChipProps, 'onChange' | 'onRemove'>> {
  entity: Entity;
  /** A single condition, or those of a group. */
  conditions: readonly Condition[];
}

export const ConditionChip = ({ entity, conditions, ...handlers }: ConditionChipProps) => {
  const translate = useTranslate();
  const names = conditions.map(({ path }) => filterLabel(entity, path, translate));
  return (
    <FilterChip name={[...new Set(names)].join(` ${translate('filters.or')} `)} {...handlers}>
      <ConditionTexts entity={entity} conditions={conditions}>
        {(name, phrase) => (
          <>
            <span className="sl-chip-name">{name}</span>
            {phrase && (
              <span className="sl-chip-value" title={phrase}>
                {phrase}
              </span>
            )}
          </>
        )}
      </ConditionTexts>
    </FilterChip>
  );
};
