import type { RaRecord } from 'ra-core';
import { useTranslate } from 'react-admin';
import type { Entity } from '../../../schema/dsl/entity';
import { floors } from '../../../schema/entities/floors';
import { runs } from '../../../schema/entities/runs';
import { zones } from '../../../schema/entities/zones';
import { ListPage } from '../../crud/list/ListPage';
import { RecordPage } from '../../crud/record/RecordPage';
import { can } from '../../providers/auth';

/** The page of a floor with its zones, and the runs on it. */
export function FloorPage() {
  const translate = useTranslate();
  const tabOf = (entity: Entity) => ({
    name: entity.name,
    label: translate(`resources.${entity.name}.plural`),
    element: (floor: RaRecord) => <ListPage entity={entity} embedded filter={{ floor_id: floor.id as number }} />,
  });
  return <RecordPage entity={floors} tabs={[zones, runs].filter(({ name }) => can(name, 'list')).map(tabOf)} />;
}
