/**
 * Parts of index.html that depend on the build: the scripts of each language, of the dashboard and of list pages. The
 * browser can then request them at once instead of discovering one import after another.
 */
import type { Plugin, Rolldown } from 'vite';

export interface StartFiles {
  /** Scripts by two-letter code of the language. */
  languages: Record<string, string[]>;
  /** Scripts of the dashboard, of the machine list, and of lists without a page of their own. */
  pages: Record<'dashboard' | 'machines' | 'others', string[]>;
}

const languageOfPackage: Record<string, string> = { english: 'en', german: 'de', french: 'fr' };

/** Returns the language of a module that contains texts; otherwise `undefined`. */
function languageOf(module: string): string | undefined {
  const [, name] = /[\\/]node_modules[\\/]ra-language-(\w+)[\\/]/.exec(module) ?? [];
  return name ? languageOfPackage[name] : /[\\/]locales[\\/](\w\w)[\\/]/.exec(module)?.[1];
}

/** Returns the files of the chunk and of all its direct and indirect imports. */
function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set([chunk.fileName]);
  for (const file of files) {
    const entryChunk = bundle[file];
    if (entryChunk?.type === 'chunk') for (const imported of entryChunk.imports) files.add(imported);
  }
  return files;
}

export function startFilesOf(bundle: Rolldown.OutputBundle): StartFiles {
  const files: StartFiles = { languages: {}, pages: { dashboard: [], machines: [], others: [] } };
  const { languages, pages } = files;
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue;
    if (/^(list|MachinesList)$/.test(chunk.name)) pages.machines.push(chunk.fileName);
    if (/^(list|ListPage)$/.test(chunk.name)) pages.others.push(chunk.fileName);
    if (chunk.name === 'dashboard') pages.dashboard.push(...withImports(chunk, bundle));
    const language = chunk.isDynamicEntry ? languageOf(chunk.facadeModuleId ?? '') : undefined;
    if (language) languages[language] = [...(languages[language] ?? []), chunk.fileName];
  }
  return files;
}

/** Font for Latin letters, which the browser would otherwise discover only with the first text. */
const startFont = /inter-latin-wght-normal[^/]*\.woff2$/;

/** Replaces `%START_FILES%` in index.html and preloads the font. In development there is nothing to preload. */
export const startFiles: Plugin = {
  name: 'start-files',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const files = bundle ? startFilesOf(bundle) : { languages: {}, pages: {} };
      const font = Object.keys(bundle ?? {}).find((file) => startFont.test(file));
      const preload = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' };
      return {
        html: html.replace('%START_FILES%', JSON.stringify(files).replaceAll('"', '&quot;')),
        tags: font ? [{ tag: 'link', attrs: preload, injectTo: 'head' }] : [],
      };
    },
  },
};
