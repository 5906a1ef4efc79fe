/** OsmAnd messages: as a query string, like simple trackers, and as JSON, like the Traccar Client app. */
import type { StateName } from '../../schema/entities/machines';
import { jsonHeaders, lastReport, type ReportEncoder } from './simulatedMessage';

const statusWords: Partial<Record<StateName, string>> = {
  Cleaning: 'cleaning',
  Charging: 'charging',
  Parked: 'parked',
};
const knotsPerMetrePerSecond = 3600 / 1852;

export const osmandQuery: ReportEncoder = ({ device }, reports) => {
  const { at, state, battery, latitude, longitude, heading, speed, area } = lastReport(reports);
  const query = new URLSearchParams({
    id: device,
    timestamp: String(at.getTime()),
    lat: latitude.toFixed(6),
    lon: longitude.toFixed(6),
    speed: (speed * knotsPerMetrePerSecond).toFixed(2),
    bearing: String(heading),
    batt: String(battery),
    status: statusWords[state] ?? 'online',
    ...(state === 'Cleaning' ? { mode: 'robotic', area: String(area) } : {}),
    ...(state === 'Charging' ? { charge: 'true' } : {}),
  });
  return { by: 'http', method: 'GET', path: `/ingest/osmand?${query}` };
};

export const osmandJson: ReportEncoder = ({ device }, reports) => {
  const { at, state, battery, latitude, longitude, heading, speed, area, odometer } = lastReport(reports);
  const isCleaning = state === 'Cleaning';
  const location = {
    timestamp: at.toISOString(),
    coords: { latitude, longitude, speed, heading, accuracy: 4, altitude: 30 },
    is_moving: isCleaning,
    odometer,
    event: 'motionchange',
    battery: { level: battery / 100, is_charging: state === 'Charging' },
    activity: { type: isCleaning ? 'walking' : 'still' },
    extras: { status: statusWords[state] ?? 'online', ...(isCleaning ? { mode: 'robotic', area } : {}) },
  };
  return {
    by: 'http',
    method: 'POST',
    path: '/ingest/osmand',
    headers: jsonHeaders,
    body: JSON.stringify({ device_id: device, location }),
  };
};
