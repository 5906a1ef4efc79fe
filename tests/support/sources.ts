/** Source files of the repository as modules with their imports and content. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

// Avoids `URL`, which the simulated page replaces in tests of pages.
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../');

export interface Source {
  /** Path relative to the root of the repository: `server/context/errors.ts`. */
  path: string;
  text: string;
  /**
   * Packages as written, and own files as paths from the root. Includes type imports, since they couple files just as
   * much.
   */
  imports: string[];
  program: unknown;
  /** Whether the file only re-exports. */
  isBarrel: boolean;
}

const folders = ['locales', 'schema', 'server', 'demo', 'src', 'tests'];

/** All TypeScript files of the product and its tests. */
export function readSources(): Source[] {
  return folders.flatMap((folder) => {
    if (!existsSync(join(root, folder))) return [];
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readSource(`${folder}/${name.replaceAll('\\', '/')}`));
  });
}

function readSource(path: string): Source {
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
  const plainPath = normalize(join(dirname(from), specifier.replace(/\?.*$/, '')));
  const candidates = [
    plainPath,
    `${plainPath}.ts`,
    `${plainPath}.tsx`,
    `${plainPath}/index.ts`,
    `${plainPath}/index.tsx`,
  ];
  return (
    candidates.find((candidate) => /\.\w+$/.test(candidate) && existsSync(join(root, candidate))) ??
    relative(root, join(root, plainPath))
  );
}

/** Import cycles, each as a list of files; empty if there are none. */
export function findImportCycles(sources: readonly Source[]): string[][] {
  const sourcesByPath = new Map(sources.map((source) => [source.path, source]));
  const visitedPaths = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]) => {
    const index = trail.indexOf(path);
    if (index >= 0) cycles.push([...trail.slice(index), path]);
    if (index >= 0 || visitedPaths.has(path)) return;
    for (const next of sourcesByPath.get(path)?.imports ?? [])
      if (sourcesByPath.has(next)) visit(next, [...trail, path]);
    visitedPaths.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}

/** Lines of the syntax tree nodes of a type, such as `TSAnyKeyword`. */
export const linesOfNodes = ({ program, text }: Source, type: string): number[] =>
  nodesOf(program, type).map(({ start }) => text.slice(0, Number(start)).split('\n').length);

/** All nodes of a type in a syntax tree. */
export function nodesOf(node: unknown, type: string): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const matches = 'type' in node && node.type === type && 'start' in node ? [node as Record<string, unknown>] : [];
  return [...matches, ...Object.values(node).flatMap((value) => nodesOf(value, type))];
}
