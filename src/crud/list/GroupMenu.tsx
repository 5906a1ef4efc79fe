import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { Dropdown } from '../../ui/Dropdown';
import { Icon } from '../../ui/Icon';
import { groupableNames, type ListGrouping } from './useGrouping';

/** Menu for choosing the field by which a list is grouped. */
export const GroupMenu = ({ entity, by, groupBy }: ListGrouping & { entity: Entity }) => {
  const translate = useTranslate();
  const labelOf = (name: string) => translate(`resources.${entity.name}.fields.${name}`);
  return (
    <Dropdown
      className="sl-button sl-group-menu"
      title={translate('list.group_by')}
      entries={() =>
        [undefined, ...groupableNames(entity)].map((name) => ({
          text: name ? labelOf(name) : translate('list.ungrouped'),
          role: 'menuitemradio',
          isChecked: name === by,
          run: () => groupBy(name),
        }))
      }
    >
      <Icon name="groups" size={16} />
      {by ? `${translate('list.grouped')}: ${labelOf(by)}` : translate('list.group')}
    </Dropdown>
  );
};
