/**
 * Caches the compiled engine of the embedded database for this test worker. V8 reuses code and its optimisations for
 * the same bytes; otherwise each database would compile it again and start slowly.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));

export const compiledPglite = WebAssembly.compile(readFileSync(join(folder, 'pglite.wasm')));
