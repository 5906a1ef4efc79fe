/**
 * Makes the application open without a network: on installation the worker stores the page and every script, style and
 * font of the build. It ignores responses of the API, which `src/providers/lastSeen.ts` stores.
 *
 * The page is loaded from the server, or from the store if the server does not answer, so a new build is in use when
 * the application is next opened. Assets have a hash in their name and are kept for a month, so that open pages of
 * older builds find their scripts.
 */
import { matchPrecache, precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/**
 * The members of `ServiceWorkerGlobalScope` used here; TypeScript cannot load its library together with that of the
 * DOM.
 */
declare const self: {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void;
};
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** Inserted by `scripts/lib/serviceWorker.mjs`: URLs of hashed files, and the other files with their revision. */
declare const shellAssets: string[];
declare const shellFiles: { url: string; revision: string }[];

/** Milliseconds after which a silent server counts as unreachable. */
const serverTimeout = 4000;
const assetLifetime = 30 * 24 * 3_600_000;
/** Paths that are not pages. */
const otherPaths = /^\/(api|ingest|storage|healthz|readyz|metrics|assets)(\/|$)|\.\w+$/;
const assets = new CacheFirst({ cacheName: 'assets' });

precache(shellFiles);
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), assets);
registerRoute(new NavigationRoute(({ request }) => serverFirst(request, '/index.html'), { denylist: [otherPaths] }));
const files = new Set(shellFiles.map(({ url }) => url));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && files.has(url.pathname),
  ({ request, url }) => serverFirst(request, url.pathname),
);

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  // Assets that are already in the store are not loaded again.
  event.waitUntil(Promise.all(shellAssets.map((url) => assets.handleAll({ event, request: new Request(url) })[1])));
});

self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), removeOldAssets()])));

async function serverFirst(request: Request, stored: string): Promise<Response> {
  const response = await Promise.race([
    fetch(request).catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, serverTimeout, undefined)),
  ]);
  // A proxy answers 502 to 504 when the server is down.
  if (response && response.status < 502) return response;
  return (await matchPrecache(stored)) ?? response ?? Response.error();
}

async function removeOldAssets(): Promise<void> {
  const current = new Set(shellAssets);
  const cache = await caches.open(assets.cacheName);
  for (const request of await cache.keys()) {
    const loadedAt = Date.parse((await cache.match(request))?.headers.get('Date') ?? '');
    const isOld = !(Date.now() - loadedAt < assetLifetime);
    if (isOld && !current.has(new URL(request.url).pathname)) await cache.delete(request);
  }
}
