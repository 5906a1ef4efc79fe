/** What a device sends over the network. */
import type { Report } from './report';

export type Letter =
  | { by: 'http'; method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }
  | { by: 'mqtt'; topic: string; body: string };

export type Published = Letter & { by: 'mqtt' };

export interface Speaker {
  device: string;
  /** Empty where the protocol asks for none. */
  secret: string;
}

/** How a machine puts reports into a message. */
export type Speech = (speaker: Speaker, reports: readonly Report[]) => Letter;

/** The report of a message that holds one. */
export const only = (reports: readonly Report[]): Report => reports.at(-1) as Report;

export const asJson = { 'Content-Type': 'application/json' };
