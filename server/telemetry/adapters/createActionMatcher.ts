/**
 * Decides which VDA 5050 actions clean. Manufacturers name action types, so a listed type stands for a family:
 * `clean` matches `clean_floor`, `floorCleaning` and `START_CLEANING`.
 *
 * Names are compared word by word and by stem, in any case and with any separators. A name matches if it has the
 * words of a listed type in sequence and no word for something else: `stopCleaning` ends the work, `cleanUpDisk` and
 * `cleanTank` do not clean the floor. Such words match if the listed type itself has them.
 */

import { stemOf, stemsOf } from '../../../schema/dsl/wordStems';

/** Words of actions that end the work. */
const endWords = ['stop', 'end', 'finish', 'abort', 'cancel', 'pause', 'disable', 'off', 'skip'];
/** Words of actions that clean something other than the floor. */
const otherObjects = [
  ...['up', 'disk', 'disc', 'cache', 'log', 'logs', 'memory', 'storage', 'map', 'data', 'error', 'file', 'queue'],
  ...['tank', 'sensor', 'filter', 'brush', 'squeegee', 'camera', 'lidar', 'lens', 'self', 'station', 'dock', 'history'],
];
const excludedWords = new Set([...endWords, ...otherObjects].map(stemOf));

/** A predicate on action types; `types` are the listed ones. */
export function createActionMatcher(types: readonly string[]): (type: string) => boolean {
  const families = types.map(stemsOf).filter((words) => words.length > 0);
  // Names without separators between their words are compared as a whole.
  const listedNames = new Set(types.map(lettersOf).filter((letters) => letters !== ''));
  return (type) => {
    const words = stemsOf(type);
    return listedNames.has(lettersOf(type)) || families.some((family) => belongsTo(words, family));
  };
}

const lettersOf = (type: string): string => type.toLowerCase().replace(/[^\p{L}]/gu, '');

const belongsTo = (words: readonly string[], family: readonly string[]): boolean =>
  words.some((_, index) => family.every((word, offset) => words[index + offset] === word)) &&
  words.every((word) => !excludedWords.has(word) || family.includes(word));
