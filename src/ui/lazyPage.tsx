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

/** A component with a module of its own. */
export interface Preloadable<M = unknown> {
  /** Loads the module, after which the component is drawn without a fallback. `undefined` if that fails. */
  preload: () => Promise<M | undefined>;
}

type Lazy<T, M> = T extends ComponentType<infer P> ? LazyExoticComponent<ComponentType<P>> & Preloadable<M> : never;
interface LoadedPage {
  default: ComponentType;
}

/** A component that loads when first shown. `load` imports its module, `name` is its export. */
export function lazyPage<M, N extends keyof M>(load: () => Promise<M>, name: N): Lazy<M[N], M> {
  let loaded: LoadedPage | undefined;
  const loadModule = async (): Promise<M | undefined> => {
    const module: M | undefined = await load();
    if (module) loaded = { default: module[name] as ComponentType };
    return module;
  };
  const page = lazy(() =>
    loaded
      ? resolvedNow(loaded)
      : loadModule().then(
          // Without a module, the handler of `vite:preloadError` is reloading the whole page.
          () => loaded ?? new Promise<never>(() => {}),
          (error: unknown) => {
            throw new MissingPage(error);
          },
        ),
  );
  // Drawing the page reports the error.
  const preload = () => loadModule().catch(() => undefined);
  return Object.assign(page, { preload }) as unknown as Lazy<M[N], M>;
}

/**
 * A thenable that calls back at once. React would draw the fallback until a promise is settled, and then keep it for
 * 300 ms.
 */
const resolvedNow = <T,>(value: T) =>
  // biome-ignore lint/suspicious/noThenProperty: a thenable, which React accepts
  ({ then: (onFulfilled: (value: T) => unknown) => void onFulfilled(value) }) as unknown as Promise<T>;

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
