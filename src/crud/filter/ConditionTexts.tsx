import { type RaRecord, useGetManyAggregate, useTranslate } from 'ra-core';
import { Fragment, type ReactNode } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { filteredBy } from '../../providers/filters';
import { findEntity, titleOf } from '../shared/entities';
import { filterLabel, inputKindOf } from '../shared/filters';
import { useLanguage } from '../shared/useLanguage';
import { type Condition, conditionKey } from './conditions';
import { describeCondition } from './describeCondition';

interface ConditionTextProps {
  entity: Entity;
  condition: Condition;
  children: (name: string, phrase: string) => ReactNode;
}

interface ConditionTextsProps extends Pick<ConditionTextProps, 'entity' | 'children'> {
  /** A single condition, or those of a group. */
  conditions: readonly Condition[];
}

/** Conditions as a sentence. Alternatives are joined by "or", the conditions of one alternative by "and". */
export const ConditionTexts = ({ entity, conditions, children }: ConditionTextsProps) => {
  const translate = useTranslate();
  return conditions.map((condition, index) => {
    const isSame = condition.alternative === conditions[index - 1]?.alternative;
    return (
      <Fragment key={conditionKey(condition)}>
        {index > 0 && ` ${translate(isSame ? 'filters.and' : 'filters.or')} `}
        <ConditionText entity={entity} condition={condition}>
          {children}
        </ConditionText>
      </Fragment>
    );
  });
};

/** A condition in words, which fetches the names of the rows that it refers to. */
const ConditionText = (props: ConditionTextProps) => {
  const field = filteredBy(props.entity, props.condition.path);
  const isRows = field && inputKindOf(field) === 'rows' && props.condition.values.length > 0;
  return isRows ? <RowConditionText {...props} /> : <PlainConditionText {...props} />;
};

const PlainConditionText = ({
  entity,
  condition,
  rowName,
  children,
}: ConditionTextProps & { rowName?: (id: number) => string }) => {
  const translate = useTranslate();
  const language = useLanguage();
  return children(
    filterLabel(entity, condition.path, translate),
    describeCondition({ entity, condition, translate, language, rowName }),
  );
};

const RowConditionText = (props: ConditionTextProps) => {
  const language = useLanguage();
  const target = filteredBy(props.entity, props.condition.path)?.to as string;
  const ids = props.condition.values.filter((value) => value !== 'null').map(Number);
  const { data } = useGetManyAggregate<RaRecord>(target, { ids }, { enabled: can(target, 'list') });
  const rowName = (id: number) =>
    titleOf(
      findEntity(target),
      data?.find((row) => row?.id === id),
      language,
    ) || `#${id}`;
  return <PlainConditionText {...props} rowName={rowName} />;
};
