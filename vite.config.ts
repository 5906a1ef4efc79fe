import { readdirSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { startFiles } from './scripts/lib/startFiles.ts';

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`;

/**
 * Texts that index.html shows if the application cannot start: those of the error screen, and, for browsers without
 * scripts, which cannot tell the user's language, a sentence in every language.
 */
const startTexts: Plugin = {
  name: 'start-texts',
  transformIndexHtml(html) {
    const locales = new URL('locales/', import.meta.url);
    const codes = readdirSync(locales).filter((name) => !name.includes('.'));
    const errors = codes.map((code) => {
      const path = new URL(`${code}/ui.json`, locales);
      const texts = JSON.parse(readFileSync(path, 'utf8')) as { errors: Record<string, string> };
      return [code, texts.errors] as const;
    });
    const texts = errors.map(([code, { title, page_load, reload }]) => [code, { title, page_load, reload }]);
    const sentences = errors.map(([code, { no_script }]) => `<p lang="${code}">${no_script}</p>`);
    return html
      .replace('%START_TEXTS%', JSON.stringify(Object.fromEntries(texts)).replaceAll('"', '&quot;'))
      .replace('%NO_SCRIPT%', sentences.join(''));
  },
};

/**
 * Loads react-admin's csv writer with the first export of a stock list instead of before the first list: the product's
 * own lists are exported by the server.
 */
const lazyCsvWriter: Plugin = {
  name: 'lazy-csv-writer',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]ra-core[\\/]dist[\\/]export[\\/]defaultExporter\.js$/ },
    handler(code) {
      const lazyCode = code.replace(
        /^import jsonExport from '([^']+)';$/m,
        "const jsonExport = (...input) => import('$1').then(({ default: write }) => write(...input));",
      );
      if (lazyCode === code) this.error('react-admin imports its csv writer in another way.');
      return { code: lazyCode, map: null };
    },
  },
};

/** Matches modules of `src` by their paths without endings. */
const sources = (...paths: string[]): RegExp =>
  new RegExp(`/src/(${paths.join('|')})\\.tsx?$`.replaceAll('/', '[\\\\/]'));

export default defineConfig({
  plugins: [react(), startTexts, startFiles, lazyCsvWriter],
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
              priority: 6,
            },
            // What stands before the first page, with what every page begins with; what a list adds; what the
            // dashboard shares with other pages; and what it adds. Each with everything that it imports.
            {
              name: 'app',
              test: sources('app/main', 'ui/(PageHead|EmptyState|LoadFailed)', 'crud/list/defaultViews'),
              priority: 5,
            },
            { name: 'list', test: sources('crud/list/ListPage', 'resources/machines/MachinesList'), priority: 4 },
            {
              name: 'shared',
              test: sources(
                'charts/(Figure|PeriodTable|compare)',
                'crud/shared/use(ReportedArea|UpdateSearch)',
                'map/useMapColors',
                'resources/(locations/CalendarTable|machines/MachineHead|trackers/canScan)',
                'ui/(CopyButton|useDebouncedValue)',
              ),
              priority: 3,
            },
            { name: 'search', test: /[\\/]useAutocomplete\.js$/, priority: 2 },
            { name: 'dashboard', test: sources('pages/dashboard/Dashboard'), priority: 1 },
          ],
        },
      },
    },
  },
});
