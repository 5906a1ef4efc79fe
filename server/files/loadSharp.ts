/** Loads the image library. */
import type Sharp from 'sharp';

let loading: Promise<typeof Sharp> | undefined;

/** Loaded on first use: images are rare, and the library takes 20 MB. */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
