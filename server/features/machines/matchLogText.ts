/**
 * Finds the state changes whose text can contain a search word from the texts of the language alone, so that most
 * searches need not format the timeline.
 */
import type { Language } from '../../../schema/shared/languages';
import { texts } from '../../i18n/messages';

export interface LogTextMatch {
  /** States and reasons whose own text contains it. */
  states: string[];
  reasons: string[];
  /** It may span both texts, or the times within them. */
  elsewhere: boolean;
}

/** Total length of search words to match here. Beyond it the database is faster. */
const longest = 500;

/** Where one of `values` can occur in "state: reason". */
export function matchLogText(language: Language, values: readonly string[]): LogTextMatch {
  const wanted = values.map((value) => value.toLowerCase());
  const isLong = values.join('').length > longest;
  const among = (text: string) => wanted.some((value) => text.split(gap).some((part) => part.includes(value)));
  const states = Object.entries(texts[language].resources.machines.choices.status).map(([name, words]) => ({
    name,
    words: `${words.toLowerCase()}: `,
  }));
  const reasons = Object.entries(texts[language].reasons).map(([name, words]) => ({
    name,
    words: words.replace(/%\{(time|span)\}/g, gap).toLowerCase(),
  }));
  const others = states
    .filter(({ words }) => !among(words))
    .flatMap((state) => reasons.filter(({ words }) => !among(words)).map((reason) => state.words + reason.words));
  return {
    states: states.filter(({ words }) => among(words)).map(({ name }) => name),
    reasons: reasons.filter(({ words }) => among(words)).map(({ name }) => name),
    elsewhere: isLong || wanted.some((value) => value === 'null' || others.some((sentence) => fits(sentence, value))),
  };
}

/** Stands for a time or duration, made of `figures`. */
const gap = '\0';
const figures = /[\d.: smihn]/;

/** `value` can be part of a sentence whose gaps contain any number of figures. */
function fits(sentence: string, value: string): boolean {
  // Positions in the sentence where the next character may be.
  let places = new Set(Array.from(sentence, (_, index) => index));
  for (const sign of value) {
    const next = new Set<number>();
    for (const place of beyondGaps(sentence, places)) {
      if (sentence[place] === gap && figures.test(sign)) next.add(place);
      if (sentence[place] === sign) next.add(place + 1);
    }
    places = next;
  }
  return places.size > 0;
}

/** A gap may be empty, or end here. */
function beyondGaps(sentence: string, places: ReadonlySet<number>): Set<number> {
  const all = new Set(places);
  for (const place of all) if (sentence[place] === gap) all.add(place + 1);
  return all;
}
