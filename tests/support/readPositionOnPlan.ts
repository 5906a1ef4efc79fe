/** Position of a mark on a floor plan. */
import type { Locator } from 'playwright';
import { readBoundingBox } from './createPointer';

/** Metres from the lower left corner of a floor; the plan must cover the whole floor. */
export async function readPositionOnPlan(
  plan: Locator,
  { width_m, height_m }: { width_m: number; height_m: number },
): Promise<[x: number, y: number]> {
  const [floor, mark] = await Promise.all([
    readBoundingBox(plan.locator('.sl-plan__image')),
    readBoundingBox(plan.locator('.sl-plan-machine')),
  ]);
  const [x, y] = [mark.x + mark.width / 2 - floor.x, floor.y + floor.height - mark.y - mark.height / 2];
  return [(x / floor.width) * width_m, (y / floor.height) * height_m];
}
