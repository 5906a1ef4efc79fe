/** Limits on filters, searches and sort keys. */
import { plainFilterName } from '../../../schema/dsl/filterName';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { requestLimits } from '../../../schema/dsl/requestLimits';
import { ApiError } from '../../context/errors';

const characterCount = (value: string) => (value.length <= requestLimits.characters ? value.length : [...value].length);
const wordCount = (value: string) => value.split(/\s+/, requestLimits.words + 2).filter((word) => word !== '').length;

interface Filters {
  filter: ListQuery['filter'];
  /** Whether a filter compares ids, of which it may list more. */
  isReference?: (path: string) => boolean;
  /** Names of filters that search for words. */
  searches?: readonly string[];
}

/** Requires filters to be within the limits. Throws 400 that names the limit and the filter. */
export function requireFilterLimits({ filter, isReference = () => false, searches = ['search'] }: Filters): void {
  if (filter.length > requestLimits.filters) throw ApiError.limitExceeded('limit_filters', requestLimits.filters);
  for (const { path, values } of filter) {
    const [text, limit] = isReference(path)
      ? (['limit_references', requestLimits.references] as const)
      : (['limit_alternatives', requestLimits.alternatives] as const);
    if (values.length > limit) throw ApiError.limitExceeded(text, limit, path);
    if (values.some((value) => characterCount(value) > requestLimits.characters))
      throw ApiError.limitExceeded('limit_characters', requestLimits.characters, path);
    if (searches.includes(plainFilterName(path)) && values.some((value) => wordCount(value) > requestLimits.words))
      throw ApiError.limitExceeded('limit_words', requestLimits.words);
  }
}

/** Requires the number of sort keys to be within the limit. Throws 400 that names the limit. */
export function requireSortLimit(sort: ListQuery['sort']): void {
  if (sort.length > requestLimits.sorts) throw ApiError.limitExceeded('limit_sorts', requestLimits.sorts);
}
