import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { whenReachable } from '../providers/reachability';
import { tabStorage } from '../providers/tabStorage';

/** The module of a page failed to load. */
class MissingPage extends Error {
  constructor(cause: unknown) {
    super('errors.page_load', { cause });
    this.name = 'MissingPage';
  }
}

export const isMissingPage = (error: unknown): boolean => error instanceof MissingPage;

type Lazy<T> = T extends ComponentType<infer P> ? LazyExoticComponent<ComponentType<P>> : never;

/** A component that loads when first shown. `load` imports its module, `name` is its export. */
export function lazyPage<M, N extends keyof M>(load: () => Promise<M>, name: N): Lazy<M[N]> {
  return lazy(async () => {
    const module: M | null | undefined = await load().catch((error: unknown) => {
      throw new MissingPage(error);
    });
    // The handler of `vite:preloadError` is reloading the whole page.
    if (!module) return new Promise<never>(() => {});
    return { default: module[name] as ComponentType };
  }) as unknown as Lazy<M[N]>;
}

const key = 'sweepline.reloaded';
const tooSoon = 10_000;

/**
 * A missing module usually means a new version: reloads the whole page, once, as soon as the server can be reached. A
 * second failure within 10 s goes to the error screen.
 */
export function reloadOnMissingPages(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(tabStorage.read(key) ?? 0) < tooSoon) return;
    event.preventDefault();
    // Without the server the browser would show a page of its own.
    void whenReachable().then(() => {
      tabStorage.write(key, String(Date.now()));
      window.location.reload();
    });
  });
}
