/** Messages of failures. */

/**
 * The server's message for an unknown filter or sort (contract, section "Dialect"). It lists all allowed names, which
 * only helps programmers.
 */
const notAllowed = /^Requested (filter|sort|parameter)\(s\) `([^`]*)` are not allowed\./;

/** The unknown filter, sort or parameter in the URL of a list; `undefined` for any other error. */
export function unknownParameters({
  message,
}: Error): { kind: 'filter' | 'sort' | 'parameter'; names: string } | undefined {
  const [, kind, names] = notAllowed.exec(message) ?? [];
  return kind && names ? { kind: kind as 'filter' | 'sort' | 'parameter', names } : undefined;
}

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** The error in the user's language; its message is a text key or a sentence from the server. */
export function errorMessage(error: Error, translate: Translate): string {
  const unknown = unknownParameters(error);
  return unknown
    ? translate(`errors.unknown_${unknown.kind}`, { names: unknown.names })
    : translate(error.message, { _: error.message });
}

/** As `errorMessage`, for an upload: prefers what the server says about the file. */
export function uploadErrorMessage(error: unknown, translate: Translate): string {
  const { body } = error as { body?: { errors?: Record<string, string[]> } };
  return body?.errors?.file?.[0] ?? errorMessage(error as Error, translate);
}
