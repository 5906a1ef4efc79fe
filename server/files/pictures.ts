/** The library that draws pictures. */
import type Sharp from 'sharp';

let loading: Promise<typeof Sharp> | undefined;

/** Loaded with the first picture: few are ever drawn, and the library takes 20 MB. */
export function drawing(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
