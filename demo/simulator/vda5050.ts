/** VDA 5050 in three versions: the `state` of a vehicle, and its `connection` on connecting and as last will. */

import type { DeviceReport } from './deviceReport';
import { lastReport, type MqttMessage, type ReportEncoder } from './simulatedMessage';

export type Version = '2.0.0' | '2.1.0' | '3.0.0';

const manufacturer = 'Sweepline';
const topic = (version: Version, device: string, name: string) =>
  `${version === '3.0.0' ? 'vda5050/v3' : 'uagv/v2'}/${manufacturer}/${device}/${name}`;
/** Real vehicles count per topic; the time serves as well and is the same in every run. */
const header = (version: Version, device: string, at: Date) => ({
  headerId: Math.floor(at.getTime() / 1000) % 2 ** 31,
  timestamp: at.toISOString(),
  version,
  manufacturer,
  serialNumber: device,
});

/** The `state` message of a vehicle in that version. */
export const vda5050 =
  (version: Version): ReportEncoder =>
  ({ device }, reports) => ({
    by: 'mqtt',
    topic: topic(version, device, 'state'),
    body: JSON.stringify({
      ...header(version, device, lastReport(reports).at),
      ...stateOf(version, lastReport(reports)),
    }),
  });

function stateOf(version: Version, { at, state, battery, latitude, longitude, speed, area }: DeviceReport) {
  const cleaning = state === 'Cleaning';
  const charging = state === 'Charging';
  const message = {
    ...{
      orderId: cleaning ? `clean-${at.toISOString().slice(0, 10)}` : '',
      orderUpdateId: 0,
      lastNodeId: '',
      lastNodeSequenceId: 0,
    },
    ...{
      nodeStates: cleaning ? [{ nodeId: 'n1', sequenceId: 2, released: true }] : [],
      edgeStates: [],
      driving: cleaning,
      operatingMode: 'AUTOMATIC',
      errors: [],
    },
    actionStates: cleaning ? [{ actionId: 'a1', actionType: 'startCleaning', actionStatus: 'RUNNING' }] : [],
    velocity: { vx: speed, vy: 0, omega: 0 },
    // An extension of the standard, as manufacturers add them.
    ...{ latitude, longitude },
    ...(cleaning ? { area } : {}),
  };
  if (version === '3.0.0')
    return {
      ...message,
      instantActionStates: [],
      powerSupply: { stateOfCharge: battery, charging },
      safetyState: { activeEmergencyStop: 'NONE', fieldViolation: false },
    };
  return {
    ...message,
    batteryState: { batteryCharge: battery, charging },
    safetyState: { eStop: 'NONE', fieldViolation: false },
  };
}

/** The `connection` messages of a vehicle; brokers retain both for later subscribers. */
export function connectionOf(version: Version, device: string, at: Date): { online: MqttMessage; broken: MqttMessage } {
  const message = (connectionState: string): MqttMessage => ({
    by: 'mqtt',
    topic: topic(version, device, 'connection'),
    body: JSON.stringify({ ...header(version, device, at), connectionState }),
  });
  return { online: message('ONLINE'), broken: message(version === '3.0.0' ? 'CONNECTION_BROKEN' : 'CONNECTIONBROKEN') };
}
