import { useListContext } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import type { Filters } from '../../providers/filters';
import { BinChip, ConditionChip } from '../filter/ConditionChip';
import { type Condition, conditionKey, groupConditions, parseConditions, printConditions } from '../filter/conditions';

interface FilterChipsProps {
  entity: Entity;
  filters: Filters;
  /** Called with the index of the condition to edit in the dialog. */
  onChange: (index: number) => void;
  /** Called when a chip is removed, to move the focus, which the chip had. */
  onRemoved: () => void;
}

/** A chip for the bin, for each single condition and for each group of alternatives. */
export const FilterChips = ({ entity, filters, onChange, onRemoved }: FilterChipsProps) => {
  const { setFilters } = useListContext();
  const conditions = parseConditions(entity, filters);
  const { search, trashed } = filters;
  const searchAndTrash = { ...(search === undefined ? {} : { search }), ...(trashed === undefined ? {} : { trashed }) };
  const remove = (conditionsToRemove: readonly Condition[]) => {
    onRemoved();
    const others = conditions.filter((condition) => !conditionsToRemove.includes(condition));
    setFilters({ ...searchAndTrash, ...printConditions(entity, others).filters });
  };
  return (
    <>
      {trashed !== undefined && (
        <BinChip
          entity={entity}
          onRemove={() => {
            onRemoved();
            const { trashed: _, ...others } = filters;
            setFilters(others);
          }}
        />
      )}
      {groupConditions(conditions).map(([first, ...others]) =>
        first ? (
          <ConditionChip
            key={conditionKey(first)}
            entity={entity}
            conditions={[first, ...others]}
            onChange={() => onChange(conditions.indexOf(first))}
            onRemove={() => remove([first, ...others])}
          />
        ) : null,
      )}
    </>
  );
};
