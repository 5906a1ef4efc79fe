import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import { Fragment, type ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { filteredBy } from '../../providers/filters';
import { findEntity, titleOf } from '../shared/entities';
import { filterLabel, formFor } from '../shared/filters';
import { useLanguage } from '../shared/useLanguage';
import { type Condition, conditionKey } from './conditions';
import { phraseOf } from './phraseOf';

interface PhrasedConditionProps {
  entity: Entity;
  condition: Condition;
  children: (name: string, phrase: string) => ReactNode;
}

interface PhrasedProps extends Pick<PhrasedConditionProps, 'entity' | 'children'> {
  /** A single one, or those of a group. */
  conditions: readonly Condition[];
}

/** Conditions as a sentence: alternatives joined by "or", conditions of one alternative by "and". */
export const Phrased = ({ entity, conditions, children }: PhrasedProps) => {
  const translate = useTranslate();
  return conditions.map((condition, index) => {
    const isSame = condition.alternative === conditions[index - 1]?.alternative;
    return (
      <Fragment key={conditionKey(condition)}>
        {index > 0 && ` ${translate(isSame ? 'filters.and' : 'filters.or')} `}
        <PhrasedCondition entity={entity} condition={condition}>
          {children}
        </PhrasedCondition>
      </Fragment>
    );
  });
};

/** A condition in words, with rows by name. */
const PhrasedCondition = (props: PhrasedConditionProps) => {
  const field = filteredBy(props.entity, props.condition.path);
  const isRows = field && formFor(field) === 'rows' && props.condition.values.length > 0;
  return isRows ? <OfRows {...props} /> : <PlainPhrase {...props} />;
};

const PlainPhrase = ({
  entity,
  condition,
  rowName,
  children,
}: PhrasedConditionProps & { rowName?: (id: number) => string }) => {
  const translate = useTranslate();
  const language = useLanguage();
  return children(
    filterLabel(entity, condition.path, translate),
    phraseOf({ entity, condition, translate, language, rowName }),
  );
};

const OfRows = (props: PhrasedConditionProps) => {
  const language = useLanguage();
  const target = filteredBy(props.entity, props.condition.path)?.to as string;
  const ids = props.condition.values.filter((value) => value !== 'null').map(Number);
  const { data } = useGetManyAggregate<RaRecord>(target, { ids });
  const rowName = (id: number) =>
    titleOf(
      findEntity(target),
      data?.find((row) => row?.id === id),
      language,
    ) || `#${id}`;
  return <PlainPhrase {...props} rowName={rowName} />;
};
