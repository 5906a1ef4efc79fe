import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { whenStaying } from '../providers/leaving';
import { whenReachable } from '../providers/reachability';
import { tabStorage } from '../providers/tabStorage';

/** Thrown when the module of a page fails to load. */
class MissingPage extends Error {
  constructor(cause: unknown) {
    super('errors.page_load', { cause });
    this.name = 'MissingPage';
  }
}

export const isMissingPage = (error: unknown): boolean => error instanceof MissingPage;

/** A lazily loaded component. */
export interface Preloadable<M = unknown> {
  /** Loads the module, after which the component renders without a fallback. Resolves to `undefined` if that fails. */
  preload: () => Promise<M | undefined>;
}

type Lazy<T, M> = T extends ComponentType<infer P> ? LazyExoticComponent<ComponentType<P>> & Preloadable<M> : never;
interface LoadedPage {
  default: ComponentType;
}

/** Creates a component that loads when it is first shown. `load` imports its module; `name` is the export. */
export function lazyPage<M, N extends keyof M>(load: () => Promise<M>, name: N): Lazy<M[N], M> {
  let loadedPage: LoadedPage | undefined;
  const loadModule = async (): Promise<M | undefined> => {
    const module: M | undefined = await load();
    if (module) loadedPage = { default: module[name] as ComponentType };
    return module;
  };
  const page = lazy(() =>
    loadedPage
      ? resolvedNow(loadedPage)
      : loadModule().then(
          // Without a module, the handler of `vite:preloadError` is about to reload the whole page.
          () => loadedPage ?? new Promise<never>(() => {}),
          (error: unknown) => {
            throw new MissingPage(error);
          },
        ),
  );
  // Ignored here: rendering the page reports the error.
  const preload = () => loadModule().catch(() => undefined);
  return Object.assign(page, { preload }) as unknown as Lazy<M[N], M>;
}

/**
 * A thenable that calls back synchronously. With a settled promise React would still draw the fallback first, and keep
 * it for 300 ms.
 */
const resolvedNow = <T,>(value: T) =>
  // biome-ignore lint/suspicious/noThenProperty: a thenable, which React accepts
  ({ then: (onFulfilled: (value: T) => unknown) => void onFulfilled(value) }) as unknown as Promise<T>;

const key = 'sweepline.reloaded';
const minReloadInterval = 10_000;

/**
 * Reloads the whole page when a module is missing, which usually means a new version: once, as soon as the server is
 * reachable. A second failure within 10 s goes to the error screen. Does not reload while the browser is leaving for
 * another page, since a reload would cancel that navigation.
 */
export function reloadOnMissingPages(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(tabStorage.read(key) ?? 0) < minReloadInterval) return;
    event.preventDefault();
    // Without the server the browser would show its own error page.
    void whenStaying()
      .then(whenReachable)
      .then(() => {
        tabStorage.write(key, String(Date.now()));
        window.location.reload();
      });
  });
}
