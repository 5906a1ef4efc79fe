/**
 * VDA 5050 of three versions: a vehicle's `state`, and the `connection` that it says when it comes and leaves behind as
 * its last will.
 */
import { only, type Published, type Speech } from './letter';
import type { DeviceReport } from './report';

export type Version = '2.0.0' | '2.1.0' | '3.0.0';

const manufacturer = 'Sweepline';
const topic = (version: Version, device: string, name: string) =>
  `${version === '3.0.0' ? 'vda5050/v3' : 'uagv/v2'}/${manufacturer}/${device}/${name}`;
/** Counted per topic by real vehicles; the time serves as well, and is the same in every run. */
const header = (version: Version, device: string, at: Date) => ({
  headerId: Math.floor(at.getTime() / 1000) % 2 ** 31,
  timestamp: at.toISOString(),
  version,
  manufacturer,
  serialNumber: device,
});

/** The state of a vehicle of that version. */
export const vda5050 =
  (version: Version): Speech =>
  ({ device }, reports) => ({
    by: 'mqtt',
    topic: topic(version, device, 'state'),
    body: JSON.stringify({ ...header(version, device, only(reports).at), ...stateOf(version, only(reports)) }),
  });

function stateOf(version: Version, { at, state, battery, latitude, longitude, speed, area }: DeviceReport) {
  const cleaning = state === 'Cleaning';
  const charging = state === 'Charging';
  const said = {
    ...{
      orderId: cleaning ? `clean-${at.toISOString().slice(0, 10)}` : '',
      orderUpdateId: 0,
      lastNodeId: '',
      lastNodeSequenceId: 0,
    },
    ...{ nodeStates: [], edgeStates: [], driving: cleaning, operatingMode: 'AUTOMATIC', errors: [] },
    actionStates: cleaning ? [{ actionId: 'a1', actionType: 'startCleaning', actionStatus: 'RUNNING' }] : [],
    velocity: { vx: speed, vy: 0, omega: 0 },
    // Beyond the standard, as manufacturers add what they need.
    ...{ latitude, longitude },
    ...(cleaning ? { area } : {}),
  };
  if (version === '3.0.0')
    return {
      ...said,
      instantActionStates: [],
      powerSupply: { stateOfCharge: battery, charging },
      safetyState: { activeEmergencyStop: 'NONE', fieldViolation: false },
    };
  return {
    ...said,
    batteryState: { batteryCharge: battery, charging },
    safetyState: { eStop: 'NONE', fieldViolation: false },
  };
}

/** What a vehicle says of its connection; both are kept by brokers for those who come later. */
export function connectionOf(version: Version, device: string, at: Date): { online: Published; broken: Published } {
  const said = (connectionState: string): Published => ({
    by: 'mqtt',
    topic: topic(version, device, 'connection'),
    body: JSON.stringify({ ...header(version, device, at), connectionState }),
  });
  return { online: said('ONLINE'), broken: said(version === '3.0.0' ? 'CONNECTION_BROKEN' : 'CONNECTIONBROKEN') };
}
