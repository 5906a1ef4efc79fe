/**
 * Makes the application open without a network: the page and every script, style and font of the build are stored when
 * the worker is installed. It ignores responses of the API (`lastSeen.ts`).
 *
 * The page comes from the server and, only if that does not answer, from the store: a new build is in use when the
 * application is next opened. Assets have a hash in their name and stay for a month after their build, so that pages
 * that are still open find their scripts.
 */
import { matchPrecache, precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** The part of `ServiceWorkerGlobalScope` used here: its library cannot be loaded beside that of the DOM. */
declare const self: {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: LifecycleEvent) => void): void;
};
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

/** Written by `scripts/lib/bundles.mjs`: addresses of hashed files, and the others with their revision. */
declare const shellAssets: string[];
declare const shellFiles: { url: string; revision: string }[];

/** Milliseconds after which a silent server counts as unreachable. */
const serverTimeout = 4000;
const assetLifetime = 30 * 24 * 3_600_000;
const apiPaths = /^\/(api|ingest|storage|healthz|readyz|metrics|assets)(\/|$)|\.\w+$/;
const assets = new CacheFirst({ cacheName: 'assets' });

precache(shellFiles);
registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), assets);
registerRoute(new NavigationRoute(({ request }) => serverFirst(request, '/index.html'), { denylist: [apiPaths] }));
const files = new Set(shellFiles.map(({ url }) => url));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && files.has(url.pathname),
  ({ request, url }) => serverFirst(request, url.pathname),
);

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  // Assets in the store are not loaded again.
  event.waitUntil(Promise.all(shellAssets.map((url) => assets.handleAll({ event, request: new Request(url) })[1])));
});

self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), removeOldAssets()])));

async function serverFirst(request: Request, stored: string): Promise<Response> {
  const response = await Promise.race([
    fetch(request).catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, serverTimeout, undefined)),
  ]);
  // A proxy answers 502 to 504 in place of a server that is away.
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
