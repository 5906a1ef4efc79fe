/** Word stems, to compare names regardless of case, separators and endings. */

/**
 * Returns the stems of a name: `startCleaning`, `START_CLEANING` and `start-cleaning` have the stems `start` and
 * `clean`.
 */
export const stemsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .map(stemOf);

/**
 * Returns the stem of a word: `scrubbing`, `scrubs` and `scrubbed` have the stem `scrub`; `disinfection` has
 * `disinfect`.
 */
export const stemOf = (word: string): string =>
  word.length < 5
    ? word
    : word
        .replace(/(ing|ion|ed|es|s)$/, '')
        .replace(/(.)\1$/, '$1')
        .replace(/e$/, '');
