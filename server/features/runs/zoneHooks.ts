/** Hooks of zones: their area. */
import { type Point, polygonArea } from '../../../schema/dsl/polygons';
import type { EntityHooks } from '../../context/services';

export const zoneHooks: EntityHooks = {
  async before({ values }) {
    if (Array.isArray(values.polygon)) values.area_m2 = polygonArea(values.polygon as Point[]);
  },
};
