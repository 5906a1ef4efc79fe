/**
 * Extracts e-mail addresses from text pasted from mail programs or spreadsheets, such as `Ada <ada@example.com>;
 * bob@example.com`. Returns them in order; drops duplicates regardless of case. Words that are no addresses are
 * returned, too, so that the caller can report them.
 */
export function addressesOf(text: string): string[] {
  const addresses = text
    .replace(/"[^"\n]*"\s*(?=<)/g, '')
    .split(/[\s,;]*[\n\r\t,;]+[\s,;]*/)
    .flatMap((entry) => /<([^<>]+)>\s*$/.exec(entry)?.[1] ?? entry.split(/\s+/))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
