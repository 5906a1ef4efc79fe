/** What a device sends over the network. */
import type { DeviceReport } from './report';

export type SimulatedMessage =
  | { by: 'http'; method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
  | { by: 'mqtt'; topic: string; body: string };

export type Published = SimulatedMessage & { by: 'mqtt' };

export interface Speaker {
  device: string;
  /** Empty where the protocol asks for none. */
  secret: string;
}

/** How a machine puts reports into a message. */
export type Speech = (speaker: Speaker, reports: readonly DeviceReport[]) => SimulatedMessage;

/** The report of a message that holds one. */
export const only = (reports: readonly DeviceReport[]): DeviceReport => reports.at(-1) as DeviceReport;

export const asJson = { 'Content-Type': 'application/json' };
