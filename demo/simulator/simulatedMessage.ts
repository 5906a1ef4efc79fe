/** Messages of a device as sent over the network. */
import type { DeviceReport } from './deviceReport';

export type SimulatedMessage =
  | { by: 'http'; method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
  | { by: 'mqtt'; topic: string; body: string };

export type MqttMessage = SimulatedMessage & { by: 'mqtt' };

export interface DeviceCredentials {
  device: string;
  /** Empty if the protocol needs no secret. */
  secret: string;
}

/** Encodes reports as a message. */
export type ReportEncoder = (device: DeviceCredentials, reports: readonly DeviceReport[]) => SimulatedMessage;

/** Returns the last report, for messages that contain only one. */
export const lastReport = (reports: readonly DeviceReport[]): DeviceReport => reports.at(-1) as DeviceReport;

export const jsonHeaders = { 'Content-Type': 'application/json' };
