/** Several statements on one way to the database and back. */

/**
 * Statements that are asked without waiting for each other travel together and are done in the order named: a server
 * that is far away is asked once. All of them have ended before an error is thrown (the first one), so that none runs
 * on after its transaction.
 */
export async function pipeline<const T extends readonly Promise<unknown>[]>(
  asked: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const answers = await Promise.allSettled(asked);
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return answers.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
