import type { RaRecord } from 'ra-core';
import type { Row } from '../../../schema/dsl/entity';
import type { FloorMap } from '../../../schema/dsl/transformation';
import type { floors } from '../../../schema/entities/floors';

/** A floor as its page loads it: with its location. */
export type FloorRecord = Omit<Row<typeof floors>, 'maps'> &
  RaRecord & {
    maps: FloorMap[] | null;
    location?: { latitude: number | null; longitude: number | null; time_zone: string };
  };

/** Pixels of the plan, parsed from `1200 × 800 px`. */
export function planSize({ plan }: Pick<FloorRecord, 'plan'>): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d+) × (\d+) px$/.exec(plan ?? '') ?? [];
  return width ? { width: Number(width), height: Number(height) } : undefined;
}
