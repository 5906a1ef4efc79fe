/**
 * Prints and parses PostgreSQL's array literals (manual, section 8.15.6). The driver's own parser is not used: it turns
 * NULL into a string.
 */

/** Prints an array literal such as `{"a",NULL,"c"}`. `printElement` prints an element other than null or an array. */
export function printArray(values: readonly unknown[], printElement: (value: unknown) => string): string {
  const elements = values.map((value) => {
    if (Array.isArray(value)) return printArray(value, printElement);
    return value === null || value === undefined ? 'NULL' : `"${printElement(value).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

/** Parses an array literal. `parseElement` parses an element other than null or an array. */
export function readArray(text: string, parseElement: (text: string) => unknown): unknown[] {
  const stack: unknown[][] = [];
  let result: unknown[] = [];
  for (const [token] of text.matchAll(/[{}]|"(?:[^"\\]|\\.)*"|[^{},"]+/gs)) {
    const currentArray = stack.at(-1);
    if (token === '{') stack.push([]);
    else if (token === '}') {
      result = stack.pop() ?? result;
      stack.at(-1)?.push(result);
    } else if (token.startsWith('"')) currentArray?.push(parseElement(token.slice(1, -1).replace(/\\(.)/gs, '$1')));
    else currentArray?.push(token === 'NULL' ? null : parseElement(token));
  }
  return result;
}
