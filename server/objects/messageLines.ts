/** Format of raw messages in the object storage: JSON lines, gzipped, ordered by machine. */
import { isUtf8 } from 'node:buffer';
import { pg, type RowOf } from '../db/core/rowShape';

export const messageRowShape = {
  id: pg.integer,
  received_at: pg.timestamptz,
  protocol: pg.text,
  device: pg.text,
  tracker_id: pg.integer.nullable,
  machine_id: pg.integer.nullable,
  media_type: pg.text,
  body: pg.bytea,
};
export type MessageRow = RowOf<typeof messageRowShape>;

/** The machine comes first, so that a reader skips the lines of other machines without parsing them. */
const linePrefix = (machineId: number | null) => `{"machine_id":${machineId},`;

export function printMessageLine({ machine_id, body, ...row }: MessageRow): string {
  const content = isUtf8(body)
    ? { body: Buffer.from(body).toString() }
    : { base64: Buffer.from(body).toString('base64') };
  return `${linePrefix(machine_id)}${JSON.stringify({ ...row, ...content }).slice(1)}\n`;
}

/** A parsed line: `received_at` in ISO 8601, the body in Base64. */
export type MessageRecord = Omit<MessageRow, 'body' | 'received_at'> & { received_at: string; body: string };

/** Parses a line; `undefined` if its message is not of the machine. */
export function parseMessageLine(line: string, machineId: number): MessageRecord | undefined {
  if (!line.startsWith(linePrefix(machineId))) return undefined;
  const { base64, body = '', ...row } = JSON.parse(line) as MessageRecord & { base64?: string };
  return { ...row, body: base64 ?? Buffer.from(body).toString('base64') };
}
