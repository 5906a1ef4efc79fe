/** Sends several statements in one round trip. */

/**
 * Awaits statements that were issued together; the connection runs them in order. Waits for all of them before it
 * throws the first error, so that none outlives its transaction.
 */
export async function pipeline<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const answers = await Promise.allSettled(statements);
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
