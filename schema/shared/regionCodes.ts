const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** All pairs of letters. `Intl.DisplayNames` knows those that are codes of ISO 3166. */
export const regionCodes: readonly string[] = letters.flatMap((first) => letters.map((second) => first + second));
