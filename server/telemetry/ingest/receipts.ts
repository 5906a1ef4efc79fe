/** Assigns times of receipt to messages. */

export type Receipts = (sender: string, now: Date) => Date;

/** Maximum number of senders remembered. */
const maxTrackers = 50_000;

/**
 * Gives each message of a sender its own millisecond, in order. Otherwise messages without a device time would count as
 * duplicates.
 */
export function openReceipts(): Receipts {
  let last = new Map<string, number>();
  return (name, now) => {
    const sender = name.slice(0, 120);
    const time = Math.max(now.getTime(), (last.get(sender) ?? 0) + 1);
    if (last.size >= maxTrackers) last = new Map();
    last.set(sender, time);
    return new Date(time);
  };
}
