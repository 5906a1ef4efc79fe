import type Sharp from 'sharp';

let loading: Promise<typeof Sharp> | undefined;

/** Loads the library on first use, because images are rare and it takes 20 MB. */
export function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
