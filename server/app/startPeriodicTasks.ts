/** Tasks that every process repeats in the background. */
import type { Services } from '../context/services';
import { foldFleetSums } from '../features/locations/fleetSums';
import { enqueueTurns } from '../features/reports/enqueueTurns';
import { type PeriodicTask, startPeriodicTask } from '../jobs/periodicTask';
import { moveObjectsTask } from '../objects/objectTasks';
import { markOffline } from '../telemetry/offline/markOffline';
import { derivePastRuns } from '../telemetry/runs/derivePastRuns';
import { refreshDerivedRuns } from '../telemetry/runs/refreshDerivedRuns';
import { refreshOrderRuns } from '../telemetry/runs/refreshOrderRuns';
import { alertEvaluation, zoneAlertEvaluation } from './alertEvaluation';
import { refreshDueDates } from './refreshDueDates';
import { sweep } from './sweep';

const [second, minute] = [1000, 60_000];

/** Milliseconds from one update of the due dates to the next: at least ten minutes, at most 2 % of the time busy. */
const forecastPause = (took: number) => Math.max(10 * minute, 50 * took);

const periodicTasks = (services: Services): PeriodicTask[] => [
  { name: 'retention', interval: 10 * minute, run: () => sweep(services) },
  { name: 'service_forecast', interval: forecastPause, firstDelay: 20 * second, run: () => refreshDueDates(services) },
  { name: 'offline_sweep', interval: 3 * second, run: () => markOffline(services) },
  alertEvaluation(services),
  zoneAlertEvaluation(services),
  { name: 'derived_runs', interval: 5 * second, run: () => refreshDerivedRuns(services) },
  { name: 'order_runs', interval: 5 * second, run: () => refreshOrderRuns(services) },
  { name: 'past_runs', interval: 2 * second, firstDelay: 10 * second, run: () => derivePastRuns(services) },
  { name: 'fleet_sums', interval: 10 * second, run: () => foldFleetSums(services.db) },
  ...(services.objects ? [moveObjectsTask(services)] : []),
  { name: 'report_schedules', interval: 20 * second, run: () => enqueueTurns(services) },
];

/** Starts all tasks. Returns `stop()`, which awaits the runs in progress. */
export function startPeriodicTasks(services: Services): () => Promise<void> {
  const stopTasks = periodicTasks(services).map((task) => startPeriodicTask(services, task));
  return async () => {
    await Promise.all(stopTasks.map((stop) => stop()));
  };
}
