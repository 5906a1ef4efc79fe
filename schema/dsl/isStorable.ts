/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
