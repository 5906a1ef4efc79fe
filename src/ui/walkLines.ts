import type { KeyboardEvent } from 'react';

/**
 * Up and down walk the lines of an open list, round its ends; from the button or input above it, down leads to the
 * first.
 */
export function walkLines(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('.sl-menu button, .sl-languages button')];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const next = event.key === 'ArrowDown' ? (lines[at + 1] ?? lines[0]) : (lines[at - 1] ?? lines.at(-1));
  if (!next) return;
  event.preventDefault();
  next.focus();
}
