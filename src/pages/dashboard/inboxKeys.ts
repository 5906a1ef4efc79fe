/** Keyboard shortcuts of inbox rows. */
import type { InboxItem } from '../../../schema/endpoints/inbox';
import { areShortcutsOn } from '../../ui/keys';

type Act = InboxItem['acts'][number];

/** Actions by key; the key runs the first one that the item offers. */
const letters: Record<string, readonly Act[]> = {
  a: ['acknowledge', 'done', 'return'],
  e: ['assign'],
  g: ['assign'],
  s: ['snooze'],
};

export const actOfKey = (key: string, acts: readonly Act[]): Act | undefined =>
  areShortcutsOn() ? letters[key.toLowerCase()]?.find((act) => acts.includes(act)) : undefined;

/** The row title that an arrow key moves to. */
export function nextTitle(row: HTMLElement, key: string): HTMLElement | undefined {
  const titles = [...(row.parentElement?.querySelectorAll<HTMLElement>('.sl-inbox-title') ?? [])];
  const index = titles.findIndex((title) => row.contains(title));
  return { ArrowDown: titles[index + 1], ArrowUp: titles[index - 1], Home: titles[0], End: titles.at(-1) }[key];
}
