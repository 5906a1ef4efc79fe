/** Milliseconds after the page has loaded, so that the first rows need not compete with the worker. */
const installAfter = 5000;
/** Milliseconds between two checks for a new build while a page stays open. */
const updateEvery = 3_600_000;

/**
 * Installs the service worker of a production build. In development or without https, the application needs the
 * network.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  const install = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js');
    setInterval(() => void registration.update().catch(() => undefined), updateEvery);
  };
  const installLater = () => setTimeout(() => void install().catch(console.warn), installAfter);
  if (document.readyState === 'complete') installLater();
  else addEventListener('load', installLater, { once: true });
}
