/** The protocols of simulated machines. */

import { osmandJson, osmandQuery } from './osmand';
import { ownBatch } from './ownBatch';
import type { ReportEncoder } from './simulatedMessage';
import { thingsBoardHttp, thingsBoardMqtt } from './thingsboard';
import { type Version, vda5050 } from './vda5050';

export interface SimulatedProtocol {
  encode: ReportEncoder;
  /** Reports in one message. */
  gathered: number;
  needs: readonly ('secret' | 'mqtt')[];
  version?: Version;
}

export const deviceLanguages = {
  'osmand query': { encode: osmandQuery, gathered: 1, needs: [] },
  'osmand json': { encode: osmandJson, gathered: 1, needs: [] },
  'own batch': { encode: ownBatch, gathered: 4, needs: ['secret'] },
  'thingsboard http': { encode: thingsBoardHttp, gathered: 1, needs: ['secret'] },
  'thingsboard mqtt': { encode: thingsBoardMqtt, gathered: 1, needs: ['secret', 'mqtt'] },
  'vda5050 2.0': { encode: vda5050('2.0.0'), gathered: 1, needs: ['secret', 'mqtt'], version: '2.0.0' },
  'vda5050 2.1': { encode: vda5050('2.1.0'), gathered: 1, needs: ['secret', 'mqtt'], version: '2.1.0' },
  'vda5050 3.0': { encode: vda5050('3.0.0'), gathered: 1, needs: ['secret', 'mqtt'], version: '3.0.0' },
} as const satisfies Record<string, SimulatedProtocol>;

export type DeviceLanguage = keyof typeof deviceLanguages;

export const languageNames = Object.keys(deviceLanguages) as DeviceLanguage[];

/** Assigns each machine a protocol that it can speak, in turn; machines with a secret take turns among all. */
export function allot<M extends { secret?: string; language?: DeviceLanguage }>(
  fleet: readonly M[],
  withMqtt: boolean,
): (M & { language: DeviceLanguage })[] {
  const turns = { secret: 0, none: 0 };
  return fleet.map((machine) => {
    const possible = languageNames.filter((name) => {
      const needs: SimulatedProtocol['needs'] = deviceLanguages[name].needs;
      return needs.every((need) => (need === 'mqtt' ? withMqtt : machine.secret !== undefined));
    });
    const turn = machine.secret === undefined ? turns.none++ : turns.secret++;
    return { ...machine, language: machine.language ?? (possible[turn % possible.length] as DeviceLanguage) };
  });
}
