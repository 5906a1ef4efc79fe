/** How the table describes a call. */
import type { Schema } from './schemas';

export interface Call {
  summary: string;
  tag: string;
  /** Names of JSON body fields and their schemas. */
  body?: Record<string, Schema>;
  /** Body fields that may be omitted. */
  optional?: readonly string[];
  query?: readonly string[];
  /** Media type of the answer; JSON by default. */
  answers?: string;
  status?: number;
  /** JSON of the answer. */
  response?: Schema;
  refuses: readonly number[];
  /** Needs no session. */
  open?: boolean;
  /** The request is a multipart form with a file. */
  file?: boolean;
  /** Schema of a body that is not an object of fields. */
  takes?: Schema;
  /** Security scheme, if not a session. */
  secured?: string;
}
