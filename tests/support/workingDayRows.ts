/** Rows that a working day needs. The administrator creates and deletes them, so that the demo stays unchanged. */
import type { Day } from './workingDay';

type Preparation = Pick<Day, 'admin' | 'addCleanUpStep'>;

export interface DayLocation {
  id: number;
  name: string;
  fleet_id: number;
  client_id: number;
}

export interface DayMachine {
  id: number;
  serial_number: string;
}

const uniqueSuffix = () => Date.now().toString(36).toUpperCase();

/** Creates a location in a fleet. */
export async function createLocation({ admin, addCleanUpStep }: Preparation, fleet_id: number): Promise<DayLocation> {
  const values = {
    name: `Terminal ${uniqueSuffix()}`,
    fleet_id,
    address: 'Hafenstraße 7',
    postal_code: '01067',
    city: 'Dresden',
    latitude: 51.05,
    longitude: 13.72,
  };
  const { data } = await admin.api<{ data: DayLocation }>('POST', 'locations', values);
  addCleanUpStep(() => admin.api('DELETE', `locations/${data.id}`));
  return data;
}

/** Creates a machine that has never sent a message. */
export async function createMachine(
  { admin, addCleanUpStep }: Preparation,
  { fleet_id, id: location_id }: Pick<DayLocation, 'fleet_id' | 'id'>,
): Promise<DayMachine> {
  const values = {
    serial_number: `DAY-${uniqueSuffix()}`,
    custom_type: 'Prototype',
    stock_state: 'deployed',
    fleet_id,
    location_id,
  };
  const { data } = await admin.api<{ data: DayMachine }>('POST', 'machines', values);
  addCleanUpStep(() => admin.api('DELETE', `machines/${data.id}`));
  return data;
}

/** Mounts a tracker on the machine. Returns its device id. */
export async function mountTracker({ admin, addCleanUpStep }: Preparation, machine: DayMachine): Promise<string> {
  const tracker_or_serial = `day-${uniqueSuffix()}`;
  const values = { refno: tracker_or_serial, tracker_or_serial, mode: 'http' };
  const { data } = await admin.api<{ data: { id: number } }>('POST', 'trackers', values);
  addCleanUpStep(async () => {
    await admin.api('PATCH', `machines/${machine.id}`, { tracker_id: null });
    await admin.api('DELETE', `trackers/${data.id}`);
  });
  await admin.api('POST', `trackers/${data.id}/assign`, { machine_id: machine.id });
  return tracker_or_serial;
}
