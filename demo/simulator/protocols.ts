/** The protocols of simulated machines. */

import { osmandJson, osmandQuery } from './osmand';
import { ownBatch } from './ownBatch';
import type { ReportEncoder } from './simulatedMessage';
import { thingsBoardHttp, thingsBoardMqtt } from './thingsboard';
import { type Version, vda5050 } from './vda5050';

export interface SimulatedProtocol {
  encode: ReportEncoder;
  /** Number of reports per message. */
  batchSize: number;
  needs: readonly ('secret' | 'mqtt')[];
  version?: Version;
}

export const deviceProtocols = {
  'osmand query': { encode: osmandQuery, batchSize: 1, needs: [] },
  'osmand json': { encode: osmandJson, batchSize: 1, needs: [] },
  'own batch': { encode: ownBatch, batchSize: 4, needs: ['secret'] },
  'thingsboard http': { encode: thingsBoardHttp, batchSize: 1, needs: ['secret'] },
  'thingsboard mqtt': { encode: thingsBoardMqtt, batchSize: 1, needs: ['secret', 'mqtt'] },
  'vda5050 2.0': { encode: vda5050('2.0.0'), batchSize: 1, needs: ['secret', 'mqtt'], version: '2.0.0' },
  'vda5050 2.1': { encode: vda5050('2.1.0'), batchSize: 1, needs: ['secret', 'mqtt'], version: '2.1.0' },
  'vda5050 3.0': { encode: vda5050('3.0.0'), batchSize: 1, needs: ['secret', 'mqtt'], version: '3.0.0' },
} as const satisfies Record<string, SimulatedProtocol>;

export type DeviceProtocol = keyof typeof deviceProtocols;

export const protocolNames = Object.keys(deviceProtocols) as DeviceProtocol[];

/**
 * Assigns a protocol to each machine: the one it declares, if it can use that; for robots on floors, our own batches,
 * which contain positions on their maps; otherwise each protocol it can use in turn. Machines without a secret can use
 * only protocols that need none.
 */
export function assignProtocols<M extends { secret?: string; protocol?: DeviceProtocol; walk?: unknown }>(
  fleet: readonly M[],
  hasBroker: boolean,
): (M & { protocol: DeviceProtocol })[] {
  const turns = { secret: 0, none: 0 };
  return fleet.map((machine) => {
    const possibleProtocols = protocolNames.filter((name) => {
      const needs: SimulatedProtocol['needs'] = deviceProtocols[name].needs;
      return needs.every((need) => (need === 'mqtt' ? hasBroker : machine.secret !== undefined));
    });
    const takeTurn = () => {
      const turn = machine.secret === undefined ? turns.none++ : turns.secret++;
      return possibleProtocols[turn % possibleProtocols.length];
    };
    const preferredProtocols = [machine.protocol, ...(machine.walk ? ['own batch' as const] : [])];
    const protocol = preferredProtocols.find((name) => name && possibleProtocols.includes(name)) ?? takeTurn();
    return { ...machine, protocol: protocol as DeviceProtocol };
  });
}
