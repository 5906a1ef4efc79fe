/**
 * The compiled engine of the embedded database, kept for as long as this worker of the tests lives: V8 gives every
 * thread that loads the same bytes what is compiled already, and what it has made faster since. Else each database
 * would begin with compiling it, and be slow at first.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));

export const engine = WebAssembly.compile(readFileSync(join(folder, 'pglite.wasm')));
