/**
 * A machine for one test, created through the API and deleted afterwards, that sends only what the test makes it send.
 */
import { cleanUpAfterwards, sendOsmAnd, type Visitor } from './visit';

export interface TestMachine {
  id: number;
  serial_number: string;
  tracker: number;
  /** Sends an OsmAnd message as its tracker, with a later time than the previous one. */
  send(values: Record<string, string | number>): Promise<void>;
}

interface TestMachineValues {
  fleet_id: number;
  location_id?: number;
  serial_number?: string;
}

/** Adds a machine that has never sent a message, with its tracker. */
export async function addTestMachine(
  { api }: Pick<Visitor, 'api'>,
  ownValues: TestMachineValues,
): Promise<TestMachine> {
  const name = `OWN-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  const add = async (entity: string, values: object) =>
    (await api<{ data: { id: number } }>('POST', entity, values)).data.id;
  const tracker = await add('trackers', { refno: name, tracker_or_serial: name, mode: 'http' });
  cleanUpAfterwards(() => api('DELETE', `trackers/${tracker}`));
  const defaults = { serial_number: name, custom_type: 'Prototype', stock_state: 'deployed', tracker_id: tracker };
  const values = { ...defaults, ...ownValues };
  const id = await add('machines', values);
  cleanUpAfterwards(() => api('DELETE', `machines/${id}`));
  let lastTime = 0;
  return {
    id,
    serial_number: values.serial_number,
    tracker,
    send: async (message) => {
      lastTime = Math.max(lastTime + 1000, Date.now());
      const status = await sendOsmAnd({ id: name, timestamp: lastTime, ...message });
      if (status !== 200) throw new Error(`The message of ${name} was answered by ${status}.`);
    },
  };
}

/** Finds the first fleet of the demo, or of one client. */
export async function findFleet(
  { api }: Pick<Visitor, 'api'>,
  client?: number,
): Promise<{ id: number; client_id: number }> {
  const filter = client === undefined ? '' : `&filter[client_id]=${client}`;
  const { data } = await api<{ data: { id: number; client_id: number }[] }>(
    'GET',
    `fleets?per_page=1&sort=id${filter}`,
  );
  if (!data[0]) throw new Error('There is no such fleet.');
  return data[0];
}
