import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { ConditionTexts } from '../../crud/filter/ConditionTexts';
import { conditionKey, groupConditions, parseConditions } from '../../crud/filter/conditions';
import { listSnapshotOf, type SavedView } from '../../crud/list/savedView';
import { filterLabel } from '../../crud/shared/filters';
import { removalTextsOf } from '../../crud/shared/removalTexts';
import './views.css';

/** Filters and sort of a view, in words. */
export function ViewQuery({ entity, view }: { entity: Entity; view: SavedView }) {
  const translate = useTranslate();
  const { filter, sort, perPage } = listSnapshotOf(entity, view, []);
  const renderLine = (name: string, phrase = '') => (
    <li key={`${name} ${phrase}`}>
      <span>{name}</span> {phrase}
    </li>
  );
  return (
    <ul className="sl-view-query">
      {filter.search !== undefined &&
        renderLine(translate('list.search'), translate('filters.quoted', { value: String(filter.search) }))}
      {filter.trashed !== undefined && renderLine(translate(removalTextsOf(entity).bin.label))}
      {groupConditions(parseConditions(entity, filter)).map((group) => (
        <li key={group.map(conditionKey).join()}>
          <ConditionTexts entity={entity} conditions={group}>
            {(name, phrase) => (
              <>
                <span>{name}</span> {phrase}
              </>
            )}
          </ConditionTexts>
        </li>
      ))}
      {renderLine(
        translate(sort.order === 'DESC' ? 'views.descending' : 'views.ascending'),
        filterLabel(entity, sort.field, translate),
      )}
      {renderLine(translate('list.per_page'), String(perPage))}
    </ul>
  );
}
