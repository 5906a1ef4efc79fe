import { test } from 'vitest';
import { databaseKind } from './startTestApp';

/** Declares a test for the embedded database only, which commits an import in several transactions. */
export function testOnEmbedded(name: string, check: () => Promise<void>, timeout?: number): void {
  if (databaseKind === 'pglite') test(name, check, timeout);
}
