/**
 * Extracts e-mail addresses from text pasted from mail programs or spreadsheets, such as `Ada <ada@example.com>;
 * bob@example.com`. Returns them in order; drops duplicates regardless of case.
 */
export function addressesOf(text: string): string[] {
  const parts = text
    .replace(/"[^"\n]*"\s*(?=<)/g, '')
    .split(/[\s,;]*[\n\r\t,;]+[\s,;]*/)
    .flatMap((part) => /<([^<>]+)>\s*$/.exec(part)?.[1] ?? part.split(/\s+/))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...new Map(parts.map((part) => [part.toLowerCase(), part])).values()];
}
