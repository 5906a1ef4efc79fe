/** How the table of calls describes one. */
import type { Schema } from './schemas';

export interface Call {
  summary: string;
  tag: string;
  /** Names of JSON body fields and their schemas. */
  body?: Record<string, Schema>;
  /** Of the body: what need not be sent. */
  optional?: readonly string[];
  query?: readonly string[];
  /** Media type of the answer; JSON unless said. */
  answers?: string;
  status?: number;
  refuses: readonly number[];
  /** Reached without a session. */
  open?: boolean;
  /** A file in a multipart form. */
  file?: boolean;
  /** The body as a whole, where it is no object of fields. */
  takes?: Schema;
  /** Who may call, where it is not a session: the security scheme. */
  secured?: string;
}
