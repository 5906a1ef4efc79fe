/** The machine id in the text of a QR code, which is the address of its page. */
export function machineIn(code: string): number | undefined {
  const id = /^https?:\/\/[^/]+\/machines\/([1-9]\d{0,9})(?:[/?#]|$)/.exec(code.trim())?.[1];
  return id === undefined ? undefined : Number(id);
}
