/** Long computations in steps: `runInTurns` lets other work run in between, `runAtOnce` does not. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation that yields at every point where it may be interrupted. */
export type ComputationSteps<T> = Generator<undefined, T, undefined>;

/** Milliseconds that a computation may run without a pause. */
const sliceTime = 12;

/** Runs a computation to its end without yielding. */
export function runAtOnce<T>(steps: ComputationSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs a computation in slices, between which other work gets a turn. */
export async function runInTurns<T>(steps: ComputationSteps<T>): Promise<T> {
  for (let until = performance.now() + sliceTime; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + sliceTime;
  }
}
