import type { Entity } from '../../../schema/dsl/entity';
import type { Language } from '../../../schema/shared/languages';
import { ApiError } from '../../context/errors';
import { countText, nameOf } from '../../i18n/messages';

/** Rows of `other` that reference a row by `field`. */
export interface RowUse {
  other: Entity;
  field: string;
  count: number;
}

/**
 * Returns a 409 that names what still references a row, and how often. `uses` of its body names the fields, for links.
 */
export const inUseError = (language: Language, entity: Entity, uses: readonly RowUse[], isPurge = false): ApiError =>
  new ApiError(
    409,
    {
      text: isPurge ? 'in_use_for_good' : 'in_use',
      values: {
        name: nameOf(language, entity),
        uses: uses.map(({ other, count }) => countText(language, other, count)).join(', '),
      },
    },
    { body: { uses: uses.map(({ other, field, count }) => ({ resource: other.name, field, count })) } },
  );
