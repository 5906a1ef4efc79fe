/**
 * Extracts the e-mail addresses from pasted text as mail programs and spreadsheets write them: `Ada <ada@example.com>;
 * bob@example.com`. In order, without duplicates regardless of case.
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
