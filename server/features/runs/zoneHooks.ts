/** Hooks of zones: their area, and their place on the plan of the floor. */
import { sql } from 'drizzle-orm';
import { isWithinPlan, type Point, polygonArea } from '../../../schema/dsl/polygons';
import type { EntityHooks, WriteContext } from '../../context/services';
import { pg } from '../../db/core/rowShape';

export const zoneHooks: EntityHooks = {
  async before(context) {
    const { values } = context;
    if (Array.isArray(values.polygon)) values.area_m2 = polygonArea(values.polygon as Point[]);
    await validatePlan(context);
  },
};

/**
 * Reports with `fail` that a zone extends beyond the plan. A zone whose polygon and floor stay the same may be saved,
 * because the size of the floor may have changed since.
 */
async function validatePlan({ tx, values, current, fail }: WriteContext): Promise<void> {
  const field = ['polygon', 'floor_id'].find((name) => name in values);
  const { polygon, floor_id: floor } = { ...current, ...values };
  if (!field || !Array.isArray(polygon) || typeof floor !== 'number') return;
  const size = await tx.selectOne(
    { width_m: pg.double.nullable, height_m: pg.double.nullable },
    sql`select width_m, height_m from floors where id = ${floor}::int`,
  );
  if (size && !isWithinPlan(polygon as Point[], size)) fail(field, { text: 'beside_plan' });
}
