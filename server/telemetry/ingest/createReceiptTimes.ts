/** Assigns times of receipt to messages. */

export type AssignReceiptTime = (sender: string, now: Date) => Date;

/** Maximum number of senders remembered. */
const maxSenders = 50_000;

/**
 * Gives each message of a sender its own millisecond, in order. Otherwise messages without a device time would count as
 * duplicates.
 */
export function createReceiptTimes(): AssignReceiptTime {
  let lastTimes = new Map<string, number>();
  return (name, now) => {
    const sender = name.slice(0, 120);
    const time = Math.max(now.getTime(), (lastTimes.get(sender) ?? 0) + 1);
    if (lastTimes.size >= maxSenders) lastTimes = new Map();
    lastTimes.set(sender, time);
    return new Date(time);
  };
}
