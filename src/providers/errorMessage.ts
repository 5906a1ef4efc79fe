/** Messages of failures. */

/**
 * The server's message on an unknown filter or sort (contract, section "Dialect"): it lists all allowed ones, for
 * programmers.
 */
const notAllowed = /^Requested (filter|sort|parameter)\(s\) `([^`]*)` are not allowed\./;

/** The unknown filter, sort or parameter in the address of a list; `undefined` for every other failure. */
export function unknownIn({ message }: Error): { what: 'filter' | 'sort' | 'parameter'; names: string } | undefined {
  const [, what, names] = notAllowed.exec(message) ?? [];
  return what && names ? { what: what as 'filter' | 'sort' | 'parameter', names } : undefined;
}

/** The failure in the user's language: its message is a text key or a sentence of the server. */
export function errorMessage(
  error: Error,
  translate: (key: string, values?: Record<string, unknown>) => string,
): string {
  const unknown = unknownIn(error);
  return unknown
    ? translate(`errors.unknown_${unknown.what}`, { names: unknown.names })
    : translate(error.message, { _: error.message });
}
