const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All pairs of letters, of which `Intl.DisplayNames` knows those of ISO 3166. */
export const regionCodes: readonly string[] = letters.flatMap((first) => letters.map((second) => first + second));
