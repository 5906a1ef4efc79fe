/** When messages were received. */

export type Receipts = (sender: string, now: Date) => Date;

/** Senders remembered at most. */
const most = 50_000;

/**
 * Messages of one sender that name no time are taken for repetitions if they have the same one: each is given a
 * millisecond of its own, in order.
 */
export function openReceipts(): Receipts {
  let last = new Map<string, number>();
  return (name, now) => {
    const sender = name.slice(0, 120);
    const time = Math.max(now.getTime(), (last.get(sender) ?? 0) + 1);
    if (last.size >= most) last = new Map();
    last.set(sender, time);
    return new Date(time);
  };
}
