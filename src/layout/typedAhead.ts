/** Collects keys pressed between opening the search and rendering its field, whose code loads on first use. */
let typedText = '';

/** Clears the text; call when the search is opened. */
export const startTypingAhead = (): void => {
  typedText = '';
};

/** Appends the letter of a key, or removes the last letter. */
export function typeAhead(key: string): void {
  if (key === 'Backspace') typedText = typedText.slice(0, -1);
  else if (key.length === 1) typedText += key;
}

/** Returns the collected text and clears it. */
export function takeTypedAhead(): string {
  const text = typedText;
  typedText = '';
  return text;
}
