/**
 * Texts that a spreadsheet would take for a formula: those whose first visible sign is one of = + - @, in full width
 * too, and those that begin with a tab or carriage return. Apostrophes before them count, so that a defused text
 * differs from every other and is read back as it was.
 */

/**
 * White space, control characters and signs of no width, which spreadsheets pass over. Written as JavaScript and
 * PostgreSQL both read it.
 */
const invisible =
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';
const starts = `(?:[\\t\\r]|[${invisible}]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20])`;

/** For PostgreSQL, where an apostrophe in a literal is written twice. */
export const formulaPattern = `^''*${starts}`;
const formula = new RegExp(`^'*${starts}`);
const defused = new RegExp(`^'(?='*${starts})`);

/** Puts an apostrophe before a text that would run, which `withoutDefusing` takes away again. */
export const withDefusing = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const withoutDefusing = (text: string): string => text.replace(defused, '');
