/**
 * VDA 5050 in three versions: the `state` of a vehicle, and its `connection`, sent when connecting and as last will.
 */

import { cleaningAction } from '../floors/cleaningAction';
import type { DeviceReport } from './deviceReport';
import { isEnded } from './floorWalk';
import { lastReport, type MqttMessage, type ReportEncoder } from './simulatedMessage';

export type Version = '2.0.0' | '2.1.0' | '3.0.0';

const manufacturer = 'Sweepline';
const topic = (version: Version, device: string, name: string) =>
  `${version === '3.0.0' ? 'vda5050/v3' : 'uagv/v2'}/${manufacturer}/${device}/${name}`;
/**
 * Header of a message. Real vehicles count messages per topic; a number derived from the time is as good, and
 * reproducible.
 */
const header = (version: Version, device: string, instant: Date) => ({
  headerId: Math.floor(instant.getTime() / 1000) % 2 ** 31,
  timestamp: instant.toISOString(),
  version,
  manufacturer,
  serialNumber: device,
});

/** Encodes the `state` message of a vehicle in that version. */
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

/** Returns the order as vehicles report it: a node with an action. The action remains when the order is completed. */
function orderStateOf({ at, state, order }: DeviceReport) {
  const noOrder = {
    orderId: '',
    orderUpdateId: 0,
    lastNodeId: '',
    lastNodeSequenceId: 0,
    nodeStates: [],
    edgeStates: [],
  };
  const isCleaning = state === 'Cleaning';
  if (!order && !isCleaning) return { ...noOrder, actionStates: [] };
  const {
    id: orderId,
    name,
    status,
  } = order ?? {
    ...{ id: `clean-${at.toISOString().slice(0, 10)}`, name: 'n1', status: 'RUNNING' as const },
  };
  const actionStates = [{ actionId: `clean ${name}`, actionType: cleaningAction, actionStatus: status }];
  if (order && isEnded(order)) return { ...noOrder, orderId, lastNodeId: name, lastNodeSequenceId: 2, actionStates };
  return { ...noOrder, orderId, nodeStates: [{ nodeId: name, sequenceId: 2, released: true }], actionStates };
}

function stateOf(version: Version, report: DeviceReport) {
  const { state, battery, latitude, longitude, speed, area, floor } = report;
  const cleaning = state === 'Cleaning';
  const charging = state === 'Charging';
  const fieldViolation = cleaning && speed === 0;
  const { map_id: mapId, ...place } = floor ?? {};
  const position = mapId === undefined ? undefined : { ...place, mapId };
  const message = {
    ...orderStateOf(report),
    ...{ driving: speed > 0, operatingMode: 'AUTOMATIC', errors: [] },
    velocity: { vx: speed, vy: 0, omega: 0 },
    // An extension of the standard, such as manufacturers add.
    ...{ latitude, longitude },
    ...(cleaning ? { area } : {}),
  };
  if (version === '3.0.0')
    return {
      ...message,
      instantActionStates: [],
      powerSupply: { stateOfCharge: battery, charging },
      safetyState: { activeEmergencyStop: 'NONE', fieldViolation },
      ...(position && { mobileRobotPosition: { ...position, localized: true } }),
    };
  return {
    ...message,
    batteryState: { batteryCharge: battery, charging },
    safetyState: { eStop: 'NONE', fieldViolation },
    ...(position && { agvPosition: { ...position, positionInitialized: true } }),
  };
}

/** Returns the `connection` messages of a vehicle; brokers retain both for later subscribers. */
export function connectionOf(
  version: Version,
  device: string,
  instant: Date,
): { online: MqttMessage; broken: MqttMessage } {
  const message = (connectionState: string): MqttMessage => ({
    by: 'mqtt',
    topic: topic(version, device, 'connection'),
    body: JSON.stringify({ ...header(version, device, instant), connectionState }),
  });
  return { online: message('ONLINE'), broken: message(version === '3.0.0' ? 'CONNECTION_BROKEN' : 'CONNECTIONBROKEN') };
}
