/** Whether PostgreSQL can store the text: it must contain neither NUL nor lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether PostgreSQL can store all texts and keys of a JSON value. */
export const isStorableJson = (value: unknown): boolean =>
  typeof value === 'string'
    ? isStorable(value)
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isStorableJson);
