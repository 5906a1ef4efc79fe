/** Decides which process claims which slot. Pure: every process that sees the same claims makes the same plan. */

export interface SlotClaims {
  slots: readonly number[];
  /** Process by slot; slots that nobody holds are missing. */
  holders: ReadonlyMap<number, number>;
  /** All running processes. */
  processes: readonly number[];
  self: number;
  /** Slots that were free at the previous check. */
  previouslyFree: ReadonlySet<number>;
}

/**
 * Returns the slots that this process should claim and release. A free slot goes to the process with the fewest; one
 * that is still free at the next check goes to any process that sees it, because a broker continues to send messages to
 * the session of a slot that nobody holds. In the end the numbers of slots per process differ by at most one.
 */
export function planSlots({ slots, holders, processes, self, previouslyFree }: SlotClaims): {
  claims: number[];
  releases: number[];
} {
  const slotsByProcess = new Map(
    [...processes].sort((a, b) => a - b).map((process): [number, number[]] => [process, []]),
  );
  for (const slot of slots) slotsByProcess.get(holders.get(slot) ?? -1)?.push(slot);
  const sortByLoad = () => [...slotsByProcess].sort(([, a], [, b]) => a.length - b.length);
  const freeSlots = slots.filter((slot) => !holders.has(slot));
  const claims = freeSlots.filter((slot) => {
    const [process, processSlots] = sortByLoad()[0] ?? [self, []];
    processSlots.push(slot);
    return process === self || previouslyFree.has(slot);
  });
  const releases: number[] = [];
  for (;;) {
    const sortedProcesses = sortByLoad();
    const [[, leastLoaded] = [0, []], [busiestProcess, mostLoaded] = [0, []]] = [
      sortedProcesses[0],
      sortedProcesses.at(-1),
    ];
    if (freeSlots.length > 0 || mostLoaded.length - leastLoaded.length <= 1) return { claims, releases };
    const slot = mostLoaded.pop() as number;
    leastLoaded.push(slot);
    if (busiestProcess === self) releases.push(slot);
  }
}
