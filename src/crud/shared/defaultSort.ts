import type { Entity } from '../../../schema/dsl/entity';

/** The declared sort of a list, in the format of `ListBase`. */
export const defaultSort = ({ list: { sort } }: Entity) => ({
  field: sort.replace(/^-/, ''),
  order: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const),
});
