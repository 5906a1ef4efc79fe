/**
 * Copies a text to the clipboard. Resolves to whether that succeeded. Without HTTPS there is no clipboard API, only the
 * command that copies what is selected.
 */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

function copySelected(text: string): boolean {
  const element = document.createElement('pre');
  element.textContent = text;
  element.className = 'sl-hidden';
  document.body.append(element);
  try {
    getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  } finally {
    element.remove();
  }
}
