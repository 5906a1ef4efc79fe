/** Device times of the messages that a load generator sends. */
let clock = Math.floor(Date.now() / 1000) - 10 * 86_400;

/** Replaces each `%t` by the next second of the last ten days, and each `%p` by the current time in milliseconds. */
export const fillTimes = (text: string): string =>
  text
    .replaceAll('%t', () => {
      clock += 1;
      return String(clock * 1000);
    })
    .replaceAll('%p', () => String(Date.now()));
