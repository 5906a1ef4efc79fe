/** Collects keys pressed between opening the search and rendering its field, whose code loads on first use. */
let typed = '';

/** Clears the text; call when the search is opened. */
export const startTypingAhead = (): void => {
  typed = '';
};

/** Appends the letter of a key, or removes the last letter. */
export function typeAhead(key: string): void {
  if (key === 'Backspace') typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
}

/** Returns the collected text and clears it. */
export function takeTypedAhead(): string {
  const text = typed;
  typed = '';
  return text;
}
