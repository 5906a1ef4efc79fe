/**
 * Protects against formula injection: texts whose first visible character is one of = + - @, also in full width, or
 * that begin with tab or carriage return. Leading apostrophes are part of the pattern, so that defusing is reversible
 * for every text.
 */

/**
 * White space, control and zero-width characters, which spreadsheets skip. In a syntax common to JavaScript and
 * PostgreSQL.
 */
const invisible =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u180e' +
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';
const starts = `(?:[\\t\\r]|[${invisible}]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20])`;

/** For PostgreSQL literals, where an apostrophe is doubled. */
export const formulaPattern = `^''*${starts}`;
const formula = new RegExp(`^'*${starts}`);
const defused = new RegExp(`^'(?='*${starts})`);

/** Prefixes text that would be executed with an apostrophe; `withoutDefusing` removes it. */
export const withDefusing = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const withoutDefusing = (text: string): string => text.replace(defused, '');
