/** The source files of the repository, read as modules: what they import, what they hold. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

// Without `URL`, which tests of pages have from their page.
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../');

export interface Source {
  /** From the root of the repository: `server/context/errors.ts`. */
  path: string;
  text: string;
  /**
   * Specifiers of packages as written, of own files as paths from the root. Imports of types count too: they tie two
   * files together as much.
   */
  imports: string[];
  program: unknown;
  /** Only passes on what other files export. */
  isBarrel: boolean;
}

const folders = ['locales', 'schema', 'server', 'demo', 'src', 'tests'];

/** Every TypeScript file of the product and its tests. */
export function readSources(): Source[] {
  return folders.flatMap((folder) => {
    if (!existsSync(join(root, folder))) return [];
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /\.tsx?$/.test(name)).map((name) => read(`${folder}/${name.replaceAll('\\', '/')}`));
  });
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const { module, program } = parseSync(path, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    ),
  ];
  const body = (program as { body: { type: string; source?: unknown }[] }).body;
  return {
    path,
    text,
    imports: [
      ...new Set(specifiers.map((specifier) => (specifier.startsWith('.') ? resolve(path, specifier) : specifier))),
    ],
    program,
    isBarrel:
      body.length > 0 &&
      body.every(
        ({ type, source }) => type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && source),
      ),
  };
}

function resolve(from: string, specifier: string): string {
  const plain = normalize(join(dirname(from), specifier.replace(/\?.*$/, '')));
  const candidates = [plain, `${plain}.ts`, `${plain}.tsx`, `${plain}/index.ts`, `${plain}/index.tsx`];
  return (
    candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(join(root, candidate))) ??
    relative(root, join(root, plain))
  );
}

/** Circles of imports, each as the list of its files; empty when there are none. */
export function circlesOf(sources: readonly Source[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (path: string, trail: string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) circles.push([...trail.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const next of byPath.get(path)?.imports ?? []) if (byPath.has(next)) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return circles;
}

/** The lines of a file on which a node of the syntax tree has this type, such as `TSAnyKeyword`. */
export function linesWith(source: Source, type: string): number[] {
  const found: number[] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === type && 'start' in node)
      found.push(source.text.slice(0, Number(node.start)).split('\n').length);
    for (const value of Object.values(node)) walk(value);
  };
  walk(source.program);
  return found;
}
