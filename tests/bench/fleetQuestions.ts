/**
 * Questions about the whole fleet: dashboard, map, common words, computed sorts, reports, files. Measured one at a
 * time, at several sizes of the fleet, so that their growth shows.
 */
import { demoLogins } from '../../demo/seed/people';

export interface FleetQuestion {
  name: string;
  path: string;
  /** Milliseconds that it may take at 100,000 machines. */
  bar?: number;
}

export interface FleetMeasurement {
  question: string;
  role: string;
  /** Milliseconds until the last byte: the first time, and the least of all. */
  first: number;
  least: number;
  bytes: number;
  bar?: number;
}

const roles = ['Admin', 'Country Manager', 'Customer Admin'] as const;

/** The month with the demo's history. */
const month = () => new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 7);

export const fleetQuestions = (): FleetQuestion[] => [
  { name: 'dashboard', path: 'dashboard', bar: 100 },
  { name: 'map, Europe in view', path: 'machines/map?bbox=-25,34,45,72&zoom=4', bar: 100 },
  { name: 'search for a common word', path: 'machines?filter[search]=AQ&per_page=25', bar: 150 },
  { name: 'search everywhere for it', path: 'search?q=AQ', bar: 150 },
  { name: 'sort by book value', path: 'machines?sort=-book_value&per_page=25', bar: 150 },
  { name: 'costs of a month', path: `reports/costs?month=${month()}`, bar: 1000 },
  { name: 'proof of cleaning, a month', path: `reports/cleaning?month=${month()}`, bar: 1000 },
  { name: 'costs of a month, file', path: `reports/costs/export?month=${month()}&format=csv` },
  { name: 'machines, file', path: 'machines/export?format=csv' },
];

export async function signInTo(url: string, role: string): Promise<string> {
  const { email, password } = demoLogins.find((login) => login.role === role) ?? {};
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in failed with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

/** Asks every question of every role `rounds` times; a role without the permission is left out. */
export async function measureFleet(
  url: string,
  rounds: number,
  only: string,
  report: (measured: FleetMeasurement) => void,
): Promise<void> {
  for (const role of roles) {
    const token = await signInTo(url, role);
    for (const { name, path, bar } of fleetQuestions().filter((question) => question.name.includes(only))) {
      const times: number[] = [];
      let bytes = 0;
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now();
        const answer = await fetch(`${url}/api/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } });
        bytes = (await answer.arrayBuffer()).byteLength;
        // A role without the permission, or without the field that it sorts by.
        if (answer.status === 403 || answer.status === 400) break;
        if (!answer.ok) throw new Error(`${role}: ${path} was answered with ${answer.status}`);
        times.push(performance.now() - began);
      }
      if (times.length > 0)
        report({ question: name, role, first: times[0] as number, least: Math.min(...times), bytes, bar });
    }
  }
}
