import type { Entity } from '../../../schema/dsl/entity';

/** The declared sort of a list, as `ListBase` takes it. */
export const defaultSort = ({ list: { sort } }: Entity) => ({
  field: sort.replace(/^-/, ''),
  order: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const),
});
