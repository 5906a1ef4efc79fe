/** ThingsBoard device API: over HTTP with the secret in the path, over MQTT with the secret as user name. */

import type { DeviceReport } from './deviceReport';
import { jsonHeaders, lastReport, type ReportEncoder } from './simulatedMessage';

export const thingsBoardHttp: ReportEncoder = ({ secret }, reports) => ({
  by: 'http',
  method: 'POST',
  path: `/ingest/tb/api/v1/${secret}/telemetry`,
  headers: jsonHeaders,
  body: JSON.stringify(entryOf(lastReport(reports))),
});

export const thingsBoardMqtt: ReportEncoder = (_device, reports) => ({
  by: 'mqtt',
  topic: 'v1/devices/me/telemetry',
  body: JSON.stringify(entryOf(lastReport(reports))),
});

function entryOf({ at, state, battery, latitude, longitude, heading, speed, areaTotal, odometer }: DeviceReport) {
  const values = {
    status: state.toLowerCase(),
    battery,
    latitude,
    longitude,
    heading,
    speed,
    area_total: areaTotal,
    odometer,
  };
  return { ts: at.getTime(), values: state === 'Cleaning' ? { ...values, mode: 'robotic' } : values };
}
