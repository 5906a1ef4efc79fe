/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether all texts and keys of a JSON value can be stored. */
export const isStorableJson = (value: unknown): boolean =>
  typeof value === 'string'
    ? isStorable(value)
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isStorableJson);
