/** Failures in words for people. */

/**
 * The server's sentence about an unknown filter or sort (contract, section "Dialect"): it lists everything allowed, for
 * programmers.
 */
const notAllowed = /^Requested (filter|sort|parameter)\(s\) `([^`]*)` are not allowed\./;

/** What the address of a list asks for though the list does not have it; `undefined` for every other failure. */
export function unknownIn({ message }: Error): { what: 'filter' | 'sort' | 'parameter'; names: string } | undefined {
  const [, what, names] = notAllowed.exec(message) ?? [];
  return what && names ? { what: what as 'filter' | 'sort' | 'parameter', names } : undefined;
}

/** The failure in the reader's language: its message is a key of ours or a sentence of the server. */
export function errorMessage(
  error: Error,
  translate: (key: string, values?: Record<string, unknown>) => string,
): string {
  const unknown = unknownIn(error);
  return unknown
    ? translate(`errors.unknown_${unknown.what}`, { names: unknown.names })
    : translate(error.message, { _: error.message });
}
