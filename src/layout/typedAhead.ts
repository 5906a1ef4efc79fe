/**
 * What is typed after the search has been opened and before its field is there, as its code is loaded with the first
 * use.
 */
let typed = '';

/** Starts over. Must be called when the search is opened. */
export const startTypingAhead = (): void => {
  typed = '';
};

/** Appends the letter of a key, or removes the last letter. */
export function typeAhead(key: string): void {
  if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
}

/** Returns the text and starts over. */
export function takeTypedAhead(): string {
  const text = typed;
  typed = '';
  return text;
}
