import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`;

export default defineConfig({
  plugins: [react()],
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
            // Small pieces that many pages share come in one file instead of dozens.
            {
              name: 'shared',
              test: /[\\/](src[\\/](layout|providers|i18n[\\/](format|names|index))|schema[\\/](dsl|entities|index|roles))/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
