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
