/** Worker thread that reads uploaded plans, so that no file can harm the server. */
import { parentPort, workerData } from 'node:worker_threads';
import { drawPdfPage } from './drawPdfPage';
import type { PlanProblem } from './planLimits';
import type { PlanSource, PreparedPlan } from './preparePlan';
import { readValetudoMap } from './readValetudoMap';
import { svgProblem } from './svgProblem';

const { kind, bytes, page } = workerData as PlanSource;
const decodeText = () => Buffer.from(bytes).toString('utf8');

async function prepare(): Promise<PreparedPlan | { problem: PlanProblem }> {
  if (kind === 'pdf') {
    const drawing = await drawPdfPage(bytes, page);
    if ('problem' in drawing) return drawing;
    const { pages, ...image } = drawing;
    return { image, pages };
  }
  if (kind === 'robot_map') {
    const map = readValetudoMap(decodeText());
    if (!map) return { problem: { text: 'plan_robot_map' } };
    const { svg, ...robotMap } = map;
    return { image: { svg }, robotMap };
  }
  const svg = decodeText();
  const problem = svgProblem(svg);
  return problem ? { problem } : { image: { svg } };
}

parentPort?.postMessage('started');
parentPort?.postMessage(await prepare());
