/** Decides which process claims which slot. Pure: every process that sees the same claims makes the same plan. */

export interface SlotClaims {
  slots: readonly number[];
  /** Process by slot; slots that nobody holds are missing. */
  holders: ReadonlyMap<number, number>;
  /** All living processes. */
  processes: readonly number[];
  self: number;
  /** Slots that were free at the previous check. */
  freeBefore: ReadonlySet<number>;
}

/**
 * Returns the slots that this process should claim and release. A free slot goes to the process with the fewest; one
 * that is still free at the next check goes to any process that sees it, because a broker continues to send messages to
 * the session of a slot that nobody holds. In the end the numbers of slots per process differ by at most one.
 */
export function planSlots({ slots, holders, processes, self, freeBefore }: SlotClaims): {
  claims: number[];
  releases: number[];
} {
  const held = new Map([...processes].sort((a, b) => a - b).map((process): [number, number[]] => [process, []]));
  for (const slot of slots) held.get(holders.get(slot) ?? -1)?.push(slot);
  const counts = () => [...held].sort(([, a], [, b]) => a.length - b.length);
  const free = slots.filter((slot) => !holders.has(slot));
  const claims = free.filter((slot) => {
    const [process, own] = counts()[0] ?? [self, []];
    own.push(slot);
    return process === self || freeBefore.has(slot);
  });
  const releases: number[] = [];
  for (;;) {
    const ordered = counts();
    const [[, fewest] = [0, []], [most, last] = [0, []]] = [ordered[0], ordered.at(-1)];
    if (free.length > 0 || last.length - fewest.length <= 1) return { claims, releases };
    const slot = last.pop() as number;
    fewest.push(slot);
    if (most === self) releases.push(slot);
  }
}
