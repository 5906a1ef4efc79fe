/** Reads SVG, PDF and robot maps in a separate thread, one at a time, with limits on time and memory. */
import { startThread } from '../../shared/startThread';
import type { PdfPage } from './drawPdfPage';
import { type PlanProblem, planLimits } from './planLimits';
import type { RobotPlan } from './readValetudoMap';

export interface PlanSource {
  kind: 'svg' | 'pdf' | 'robot_map';
  bytes: Uint8Array;
  /** Page of a PDF, from 1. */
  page: number;
}

export interface PreparedPlan {
  /** Pixels, or an SVG without references to anything outside it. */
  image: { svg: string } | Omit<PdfPage, 'pages'>;
  /** Number of pages of a PDF. */
  pages?: number;
  robotMap?: Omit<RobotPlan, 'svg'>;
}

type PreparedResult = PreparedPlan | { problem: PlanProblem };

let latestRun: Promise<unknown> = Promise.resolve();

/** Reads a file. Returns a problem if that fails or exceeds a limit; never rejects because of the file. */
export function preparePlan(source: PlanSource, seconds: number = planLimits.time): Promise<PreparedResult> {
  const result = latestRun.then(() => runWorker(source, seconds));
  latestRun = result.catch(() => undefined);
  return result;
}

/** The problem that is reported for a file that takes too much time or memory, or fails unexpectedly. */
const problems = { svg: 'plan_complex', pdf: 'plan_pdf', robot_map: 'plan_robot_map' } as const;

async function runWorker(source: PlanSource, seconds: number): Promise<PreparedResult> {
  const thread = startThread(new URL('./planWorker', import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: planLimits.memory },
    // Suppresses warnings that the library prints to the console.
    stdout: true,
    stderr: true,
  });
  thread.stdout.resume();
  thread.stderr.resume();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PreparedResult>((resolve) => {
      const giveUp = () => resolve({ problem: { text: problems[source.kind] } });
      // The time limit does not include starting the thread.
      thread.once('message', () => {
        timer = setTimeout(giveUp, seconds * 1000);
        thread.once('message', resolve);
      });
      thread.once('error', giveUp).once('exit', giveUp);
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
