/** Our own batch format: one observation per line. */

import type { DeviceReport } from './deviceReport';
import type { ReportEncoder, SimulatedMessage } from './simulatedMessage';

export const ownBatch: ReportEncoder = ({ secret }, reports): SimulatedMessage => ({
  by: 'http',
  method: 'POST',
  path: '/api/v1/ingest',
  headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${secret}` },
  body: reports.map((report) => JSON.stringify(observationOf(report))).join('\n'),
});

function observationOf(report: DeviceReport) {
  const { at, state, battery, latitude, longitude, heading, speed, areaTotal, odometer, floor, run } = report;
  const values = {
    at: at.toISOString(),
    status: state.toLowerCase(),
    battery,
    latitude,
    longitude,
    heading,
    speed,
    area_total: areaTotal,
    odometer,
    ...(floor && { floor }),
    ...(run && { run }),
  };
  return state === 'Cleaning' ? { ...values, mode: 'robotic' } : values;
}
