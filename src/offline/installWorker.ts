/** Milliseconds after the page has loaded, so that the first rows need not compete with the worker. */
const installDelay = 5000;
/** Milliseconds between two checks for a new build while a page stays open. */
const updateInterval = 3_600_000;

/**
 * Installs the service worker of a production build. In development or without https, the application needs the
 * network.
 */
export function installWorker(): void {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  const install = async () => {
    const registration = await navigator.serviceWorker.register('/sw.js');
    setInterval(() => void registration.update().catch(() => undefined), updateInterval);
  };
  const installLater = () => setTimeout(() => void install().catch(console.warn), installDelay);
  if (document.readyState === 'complete') installLater();
  else addEventListener('load', installLater, { once: true });
}
