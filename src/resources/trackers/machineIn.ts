/** The id of the machine whose QR code holds this text: the code is the address of its page. */
export function machineIn(code: string): number | undefined {
  const id = /^https?:\/\/[^/]+\/machines\/([1-9]\d{0,9})(?:[/?#]|$)/.exec(code.trim())?.[1];
  return id === undefined ? undefined : Number(id);
}
