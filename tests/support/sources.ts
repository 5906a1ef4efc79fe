/** Source files of the repository as modules: imports and content. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

// Without `URL`, which tests of pages get from their page.
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../');

export interface Source {
  /** Relative to the root of the repository: `server/context/errors.ts`. */
  path: string;
  text: string;
  /** Packages as written, own files as paths from the root. Includes type imports, which couple files just as much. */
  imports: string[];
  program: unknown;
  /** The file only re-exports. */
  isBarrel: boolean;
}

const folders = ['locales', 'schema', 'server', 'demo', 'src', 'tests'];

/** All TypeScript files of the product and its tests. */
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

/** Import cycles as lists of files; empty if there are none. */
export function findImportCycles(sources: readonly Source[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const visited = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path]);
    if (at >= 0 || visited.has(path)) return;
    for (const next of byPath.get(path)?.imports ?? []) if (byPath.has(next)) visit(next, [...trail, path]);
    visited.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}

/** Lines with a node of this type in the syntax tree, such as `TSAnyKeyword`. */
export const linesWith = ({ program, text }: Source, type: string): number[] =>
  nodesOf(program, type).map(({ start }) => text.slice(0, Number(start)).split('\n').length);

/** The nodes of a type in a tree. */
export function nodesOf(node: unknown, type: string): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const matches = 'type' in node && node.type === type && 'start' in node ? [node as Record<string, unknown>] : [];
  return [...matches, ...Object.values(node).flatMap((value) => nodesOf(value, type))];
}
