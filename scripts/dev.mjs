/**
 * `npm run dev`: runs the server with `tsx watch` on PORT (8080), and vite in front of it on WEB_PORT (5173). Both
 * reload on changes. One Ctrl+C ends both; if one of them ends, the other one does, too.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'vite';
import { root } from './lib/paths.mjs';

const port = process.env.PORT ?? '8080';
const webPort = Number(process.env.WEB_PORT ?? 5173);
const api = `http://127.0.0.1:${port}`;

const web = await createServer({
  root,
  server: {
    host: '127.0.0.1',
    port: webPort,
    strictPort: true,
    proxy: Object.fromEntries(['/api', '/storage', '/ingest', '/healthz', '/readyz'].map((path) => [path, api])),
  },
});
// Listens before the server starts, so that nothing keeps running if the port is taken.
await web.listen().catch((error) => {
  console.error(`${error.message}. Stop the process that uses it, or choose another port with WEB_PORT.`);
  process.exit(1);
});
web.printUrls();

const server = spawn(`${root}node_modules/.bin/tsx`, ['watch', '--clear-screen=false', 'server/app/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: port, PUBLIC_URL: process.env.PUBLIC_URL ?? `http://127.0.0.1:${webPort}` },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill('SIGTERM'));
server.once('exit', async (exitCode) => {
  await web.close();
  process.exit(exitCode ?? 0);
});
