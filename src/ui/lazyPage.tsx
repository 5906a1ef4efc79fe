import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The file of a page could not be fetched. */
class MissingPage extends Error {
  constructor(cause: unknown) {
    super('errors.page_load', { cause });
    this.name = 'MissingPage';
  }
}

export const isMissingPage = (error: unknown): boolean => error instanceof MissingPage;

type Lazy<T> = T extends ComponentType<infer P> ? LazyExoticComponent<ComponentType<P>> : never;

/**
 * A component whose code is fetched when it is first shown. `load` imports its file, `name` is its export.
 */
export function lazyPage<M, N extends keyof M>(load: () => Promise<M>, name: N): Lazy<M[N]> {
  return lazy(async () => {
    const module: M | null | undefined = await load().catch((error: unknown) => {
      throw new MissingPage(error);
    });
    // The handler of `vite:preloadError` took care: the whole page is being loaded again.
    if (!module) return new Promise<never>(() => {});
    return { default: module[name] as ComponentType };
  }) as unknown as Lazy<M[N]>;
}

const key = 'sweepline.reloaded';
const tooSoon = 10_000;

/**
 * A page's file that is gone usually means that a new version was installed: the whole page is loaded again, once.
 * A second failure within 10 s is left to the error screen.
 */
export function reloadOnMissingPages(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key) ?? 0) < tooSoon) return;
    event.preventDefault();
    sessionStorage.setItem(key, String(Date.now()));
    window.location.reload();
  });
}
