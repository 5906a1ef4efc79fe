import type { FloorMap } from '../../../schema/dsl/transformation';
import type { DisplayProps } from '../../crud/fields/renderers';

/** Renderers of floor fields: the ids of linked robot maps. */
export const floorRenderers = {
  maps: ({ value }: DisplayProps) => (
    <ul className="sl-records">
      {(value as readonly FloorMap[]).map(({ map_id }) => (
        <li key={map_id}>{map_id}</li>
      ))}
    </ul>
  ),
};
