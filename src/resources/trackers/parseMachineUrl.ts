/** Reads the machine id from the text of a QR code, which is the URL of the machine's page. */
export function parseMachineUrl(code: string): number | undefined {
  const id = /^https?:\/\/[^/]+\/machines\/([1-9]\d{0,9})(?:[/?#]|$)/.exec(code.trim())?.[1];
  return id === undefined ? undefined : Number(id);
}
