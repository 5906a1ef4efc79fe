import { readdirSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { startFiles } from './scripts/lib/startFiles';

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`;

/** Texts of the error screen that index.html shows if the application cannot start. */
const startTexts: Plugin = {
  name: 'start-texts',
  transformIndexHtml(html) {
    const locales = new URL('locales/', import.meta.url);
    const codes = readdirSync(locales).filter((name) => !name.includes('.'));
    const texts = codes.map((code) => {
      const path = new URL(`${code}/ui.json`, locales);
      const { errors } = JSON.parse(readFileSync(path, 'utf8')) as { errors: Record<string, string> };
      return [code, { title: errors.title, page_load: errors.page_load, reload: errors.reload }];
    });
    return html.replace('%START_TEXTS%', JSON.stringify(Object.fromEntries(texts)).replaceAll('"', '&quot;'));
  },
};

export default defineConfig({
  plugins: [react(), startTexts, startFiles],
  server: {
    proxy: { '/api': api, '/storage': api, '/healthz': api, '/readyz': api },
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs and what changes only with a library's version stays cached over releases.
            {
              name: 'framework',
              test: /node_modules[\\/](react|react-dom|react-router|react-router-dom|scheduler|@tanstack)[\\/]/,
              priority: 2,
            },
            // What stands before the first page, and what the first list adds: each with everything that it imports.
            { name: 'app', test: /[\\/]src[\\/]app[\\/]main\.tsx$/, priority: 1 },
            {
              name: 'list',
              test: /[\\/]src[\\/](crud[\\/]list[\\/]ListPage|resources[\\/]machines[\\/]MachinesList)\.tsx$/,
            },
          ],
        },
      },
    },
  },
});
