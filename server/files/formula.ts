/**
 * Protects against formula injection. Treats as formulas all texts whose first visible character is one of = + - @,
 * also in full width, and those that begin with a tab or carriage return. Leading apostrophes are part of the pattern,
 * so that the protection can be undone for every text.
 */

/**
 * White space, control and zero-width characters, which spreadsheets skip. The syntax is common to JavaScript and
 * PostgreSQL.
 */
const invisible =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u180e' +
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';
const formulaStart = `(?:[\\t\\r]|[${invisible}]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20])`;

/** Formula pattern for PostgreSQL literals, in which an apostrophe is doubled. */
export const formulaPattern = `^''*${formulaStart}`;
const formula = new RegExp(`^'*${formulaStart}`);
const defused = new RegExp(`^'(?='*${formulaStart})`);

/** Prefixes text that a spreadsheet would execute with an apostrophe; `withoutDefusing` removes it. */
export const withDefusing = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const withoutDefusing = (text: string): string => text.replace(defused, '');
