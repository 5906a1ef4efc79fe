/**
 * Finds states and reasons whose log text can contain a search word, using only the texts of the language. Most
 * searches then need not format the timeline.
 */
import type { Language } from '../../../schema/shared/languages';
import { texts } from '../../i18n/messages';

export interface LogTextMatch {
  /** States and reasons whose own text contains the word. */
  states: string[];
  reasons: string[];
  /** Whether a word may also span both texts, or occur in the times within them. */
  needsTextSearch: boolean;
}

/** Maximum total length of search words to match here; for longer ones the database is faster. */
const maxWordsLength = 500;

/** Finds where one of `values` can occur in "state: reason". */
export function matchLogText(language: Language, values: readonly string[]): LogTextMatch {
  const searchTexts = values.map((value) => value.toLowerCase());
  const isLong = values.join('').length > maxWordsLength;
  const matches = (text: string) =>
    searchTexts.some((value) => text.split(gap).some((fragment) => fragment.includes(value)));
  const states = Object.entries(texts[language].resources.machines.choices.status).map(([name, words]) => ({
    name,
    text: `${words.toLowerCase()}: `,
  }));
  const reasons = Object.entries(texts[language].reasons).map(([name, words]) => ({
    name,
    words: words.replace(/%\{(time|span)\}/g, gap).toLowerCase(),
  }));
  const remainingSentences = states
    .filter(({ text }) => !matches(text))
    .flatMap((state) => reasons.filter(({ words }) => !matches(words)).map((reason) => state.text + reason.words));
  return {
    states: states.filter(({ text }) => matches(text)).map(({ name }) => name),
    reasons: reasons.filter(({ words }) => matches(words)).map(({ name }) => name),
    needsTextSearch:
      isLong ||
      searchTexts.some(
        (value) => value === 'null' || remainingSentences.some((sentence) => canContain(sentence, value)),
      ),
  };
}

/** Stands for a time or duration, which consists of `figures`. */
const gap = '\0';
const figures = /[\d.: smihn]/;

/** Whether `value` can be part of a sentence whose gaps contain any number of `figures`. */
function canContain(sentence: string, value: string): boolean {
  // Positions in the sentence at which the next character may be.
  let positions = new Set(Array.from(sentence, (_, index) => index));
  for (const character of value) {
    const nextPositions = new Set<number>();
    for (const position of skipGaps(sentence, positions)) {
      if (sentence[position] === gap && figures.test(character)) nextPositions.add(position);
      if (sentence[position] === character) nextPositions.add(position + 1);
    }
    positions = nextPositions;
  }
  return positions.size > 0;
}

/** Adds the positions after gaps, since a gap may be empty or may end here. */
function skipGaps(sentence: string, positions: ReadonlySet<number>): Set<number> {
  const reachable = new Set(positions);
  for (const position of reachable) if (sentence[position] === gap) reachable.add(position + 1);
  return reachable;
}
