/** Structure rules (docs/architecture.md): allowed imports, file lengths, forbidden content. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { entities } from '../../schema/index';
import { layers } from '../support/layers';
import { longFiles } from '../support/longestFirst';
import { findImportCycles, linesOfNodes, nodesOf, readSources, type Source } from '../support/sources';

const sources = readSources();
const product = sources.filter(({ path }) => !path.startsWith('tests/'));
const tests = sources.filter(({ path }) => path.startsWith('tests/'));

/** Forbidden imports, as regular expressions over paths and package names. */
const importRules: { name: string; from: RegExp; forbidden: RegExp }[] = [
  {
    name: 'schema knows yup and, for endpoints, typebox',
    from: /^schema\/(?!endpoints\/)/,
    forbidden: /^(?!schema\/|yup$)/,
  },
  { name: 'endpoints know schema and typebox', from: /^schema\/endpoints\//, forbidden: /^(?!schema\/|typebox$)/ },
  { name: 'server and demo know no page', from: /^(server|demo)\//, forbidden: /^(src\/|react|@mui\/|ra-)/ },
  {
    name: 'pages know the server by HTTP only',
    from: /^src\//,
    forbidden: /^(server\/|demo\/|node:|drizzle|fastify|postgres$|@electric-sql\/)/,
  },
  {
    name: 'providers draw nothing',
    from: /^src\/providers\//,
    forbidden: /^(src\/(resources|layout|pages|map|charts)\/|@mui\/)/,
  },
  { name: 'only src/map knows leaflet', from: /^src\/(?!map\/)/, forbidden: /^(react-)?leaflet/ },
  { name: 'only src/charts knows recharts', from: /^src\/(?!charts\/)/, forbidden: /^recharts/ },
  {
    name: 'only server/i18n, server/mail and src/i18n read texts',
    from: /^(schema|demo|server\/(?!i18n\/|mail\/)|src\/(?!i18n\/))/,
    forbidden: /^locales\/\w+\//,
  },
  { name: 'pages hold no text of the server', from: /^src\//, forbidden: /^locales\/\w+\/(api|mail)\.json$/ },
  { name: 'nothing of the product imports tests', from: /^(locales|schema|server|demo|src)\//, forbidden: /^tests\// },
];

const forbiddenImports = ({ from, forbidden }: (typeof importRules)[number]) =>
  sources
    .filter(({ path }) => from.test(path))
    .flatMap(({ path, imports }) => imports.filter((to) => forbidden.test(to)).map((to) => `${path} → ${to}`));

describe('imports', () => {
  for (const rule of importRules) test(rule.name, () => expect(forbiddenImports(rule)).toEqual([]));

  test('the folder of one resource does not import the folder of another', () => {
    const folderOf = (path: string) =>
      entities.map(({ name }) => name).find((name) => path.startsWith(`src/resources/${name}/`));
    const crossFolderImports = product.flatMap(({ path, imports }) => {
      const ownFolder = folderOf(path);
      return ownFolder
        ? imports.filter((to) => (folderOf(to) ?? ownFolder) !== ownFolder).map((to) => `${path} → ${to}`)
        : [];
    });
    expect(crossFolderImports).toEqual([]);
  });

  /** The layer of a file: the deepest folder above it that has a layer. */
  const layerOf = (path: string): string => {
    let folder = path;
    while (folder.includes('/')) {
      folder = folder.slice(0, folder.lastIndexOf('/'));
      if (Object.hasOwn(layers, folder)) return folder;
    }
    return folder;
  };
  const productPaths = new Set(product.map(({ path }) => path));
  const crossings = product
    .flatMap(({ path, imports }) =>
      imports.filter((to) => productPaths.has(to)).map((to) => ({ path, to, from: layerOf(path), into: layerOf(to) })),
    )
    .filter(({ from, into }) => from !== into);

  test('follow the table of layers', () => {
    const forbiddenCrossings = crossings.filter(({ from, into }) => !layers[from]?.includes(into));
    expect(forbiddenCrossings.map(({ path, to }) => `${path} → ${to}`)).toEqual([]);
  });

  test('never go both ways between two layers', () => {
    const edges = new Set(
      Object.entries(layers).flatMap(([from, targets]) => targets.map((into) => `${from} → ${into}`)),
    );
    const mutualEdges = [...edges].filter((edge) => edges.has(edge.split(' → ').reverse().join(' → ')));
    expect(mutualEdges).toEqual([]);
  });

  test('never go both ways between two folders such as src/crud and src/layout', () => {
    const parent = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/');
    const edges = new Set(crossings.map(({ path, to }) => `${parent(path)} → ${parent(to)}`));
    const mutualEdges = [...edges].filter((edge) => {
      const [from, into] = edge.split(' → ');
      return from !== into && edges.has(`${into} → ${from}`);
    });
    expect(mutualEdges).toEqual([]);
  });

  test('contain no cycle', () => {
    expect(findImportCycles(sources).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  test('of chart drawings occur only in files that add a table; walls have no controls and are exempt', () => {
    const drawings = /^(recharts|src\/charts\/(Bars|Sparkline)|src\/resources\/machines\/TimelinePieces)/;
    const isFramed = (path: string) =>
      path.startsWith('src/pages/wall/') || importsOf(path).includes('src/charts/ChartFrame.tsx');
    const importsOf = (path: string) => product.find((source) => source.path === path)?.imports ?? [];
    const openFiles = product.filter(({ imports }) => imports.some((to) => drawings.test(to))).map(({ path }) => path);
    const unframedPaths = new Set(openFiles.filter((path) => !isFramed(path)));
    for (const path of unframedPaths)
      for (const importer of product)
        if (importer.imports.includes(path) && !isFramed(importer.path)) unframedPaths.add(importer.path);
    const unusedPaths = [...unframedPaths].filter((path) => !product.some(({ imports }) => imports.includes(path)));
    expect(openFiles.length).toBeGreaterThan(5);
    expect([unusedPaths, [...unframedPaths].filter((path) => path.startsWith('src/app/'))]).toEqual([[], []]);
    const pathsWithStrip = product.filter(({ text }) => text.includes('sl-strip__bar')).map(({ path }) => path);
    expect(pathsWithStrip.filter((path) => !isFramed(path))).toEqual([]);
  });

  test('of texts by pages are dynamic, so that only the chosen language is loaded', () => {
    const staticImport = /^import (?!type)[^;]*(locales\/|ra-language-)/m;
    expect(product.filter(({ path, text }) => path.startsWith('src/') && staticImport.test(text))).toEqual([]);
  });

  test('resolve to existing files', () => {
    const ownFolders = /^(locales|schema|server|demo|src|tests)\//;
    const paths = new Set(sources.map(({ path }) => path));
    const unresolvedImports = sources.flatMap(({ path, imports }) =>
      imports
        .filter((to) => ownFolders.test(to) && !/\.(json|css|svg|png|woff2)$/.test(to) && !paths.has(to))
        .map((to) => `${path} → ${to}`),
    );
    expect(unresolvedImports).toEqual([]);
  });

  test('of scripts without types name existing exports', () => {
    const folder = new URL('../../scripts/', import.meta.url);
    const namedImport = /^import \{([^}]*)\} from '(\.[^']+\.mjs)'/gm;
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.mjs'));
    const missingNames = scripts.flatMap((path) =>
      [...readFileSync(new URL(path, folder), 'utf8').matchAll(namedImport)].flatMap(([, names = '', from = '']) => {
        const source = readFileSync(new URL(from, new URL(path, folder)), 'utf8');
        return names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(source))
          .map((name) => `${path}: ${name}`);
      }),
    );
    expect(scripts.length).toBeGreaterThan(5);
    expect(missingNames).toEqual([]);
  });

  test('of endpoints by pages are type-only, so that no schema is shipped', () => {
    const loadingFiles = product.filter(
      ({ path, text }) =>
        path.startsWith('src/') && /^import (?!type )[^;]*from '[^']*schema\/endpoints[^']*'/m.test(text),
    );
    expect(loadingFiles.map(({ path }) => path)).toEqual([]);
  });

  test('use no barrel files except the index of a resource', () => {
    expect(
      product.filter(({ path, isBarrel }) => isBarrel && !/\/index\.tsx?$/.test(path)).map(({ path }) => path),
    ).toEqual([]);
  });
});

describe('files', () => {
  test('have at most 300 lines, except tests', () => {
    const longFiles = product
      .filter(({ text }) => lineCount(text) > 300)
      .map(({ path, text }) => `${path}: ${lineCount(text)}`);
    expect(longFiles).toEqual([]);
  });

  test('have lines of at most 120 characters, except for linter directives', () => {
    const longLines = product.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (line.length > 120 && !/biome-ignore/.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(longLines).toEqual([]);
  });

  test('have a median of at most 80 lines', () => {
    const counts = product.map(({ text }) => lineCount(text)).sort((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(80);
  });

  test('contain no `any`', () => {
    expect(
      sources.flatMap((source) => linesOfNodes(source, 'TSAnyKeyword').map((line) => `${source.path}:${line}`)),
    ).toEqual([]);
  });

  test('have default exports only where a tool or lazy loading requires them', () => {
    const filesWithDefaultExport = product
      .filter(({ path, program }) => hasDefaultExport(program) && !isLazilyLoaded(path))
      .map(({ path }) => path);
    expect(filesWithDefaultExport).toEqual([]);
  });

  test('build external links from PUBLIC_URL, never from the origin of the browser', () => {
    const origins = product.filter(({ path, text }) => path.startsWith('src/') && /location\.(origin|host)/.test(text));
    expect(origins.map(({ path }) => path)).toEqual([]);
  });

  test('show a toast for every file that a page saves', () => {
    const savingFiles = product.filter(
      ({ path, text }) => /^src\/(?!providers\/)/.test(path) && /\b(download|saveFile)\(/.test(text),
    );
    const withoutToast = savingFiles.filter(({ text }) => !/useDownload|'files\.done'|'toasts\.downloaded'/.test(text));
    expect(savingFiles.length).toBeGreaterThan(7);
    expect(withoutToast.map(({ path }) => path)).toEqual([]);
  });

  test('contain no marks of unfinished work', () => {
    const words = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X\\b|HA', 'CK\\b'].join(''));
    expect(sources.filter(({ text }) => words.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('read the clock when they need the time: routes are created once, and tests replace the clock later', () => {
    const destructuredNow = /const \{[^}]*\bnow\b[^}]*\} = app\.services/;
    expect(product.filter(({ text }) => destructuredNow.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('suppress no type errors', () => {
    const silencedRule = /@ts-(ignore|nocheck|expect-error)|biome-ignore lint\/suspicious\/noExplicitAny/;
    // `*.types.ts` files contain code that must not compile.
    const isExempt = (path: string) => path === 'tests/unit/structure.test.ts' || path.endsWith('.types.ts');
    expect(
      sources.filter(({ path, text }) => !isExempt(path) && silencedRule.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });
});

describe('types across the borders', () => {
  test('of responses come from declarations: there is no `api<…>`, and only providers call `api`', () => {
    const assertedCall = /\bapi<(?!T>\(path: )/;
    const importPattern = /import \{[^}]*\bapi\b[^}]*\} from '[^']*\/http'/;
    const pages = product.filter(({ path }) => path.startsWith('src/'));
    expect(pages.some(({ path, text }) => path === 'src/providers/call.ts' && importPattern.test(text))).toBe(true);
    expect(
      pages
        .filter(
          ({ path, text }) =>
            assertedCall.test(text) || (!path.startsWith('src/providers/') && importPattern.test(text)),
        )
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

const exportedNames =
  /^export (?:default )?(?:async )?(const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/gm;

describe('names', () => {
  test('of exports are unique', () => {
    const files = new Map<string, string[]>();
    for (const { path, text } of product)
      for (const [, , name = ''] of text.matchAll(exportedNames))
        files.set(name, [...new Set([...(files.get(name) ?? []), path])]);
    const duplicates = [...files].filter(([, paths]) => paths.length > 1);
    expect(files.size).toBeGreaterThan(1000);
    expect(duplicates.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  test('of files are those of their exports: a file with one main export has the same name', () => {
    // Exempt are files named after a table or topic, and workers, whose main export is a message loop.
    const exemptPath = /^(locales|schema\/(entities|endpoints)|server\/db\/schema)\/|^schema\/index\.ts$|Worker\.ts$/;
    const misnamedFiles = product
      .filter(({ path }) => !exemptPath.test(path))
      .flatMap(({ path, text }) => {
        const exports = [...text.matchAll(exportedNames)].map(([, kind = '', name = '']) => ({ kind, name }));
        const values = exports.filter(({ kind }) => !/interface|type/.test(kind));
        const base = path.replace(/^.*\//, '').replace(/\.tsx?$/, '');
        const isNamed = exports.some(({ name }) => name.toLowerCase() === base.toLowerCase());
        return (values.length || exports.length) === 1 && !isNamed
          ? [`${path}: ${(values[0] ?? exports[0])?.name}`]
          : [];
      });
    expect(misnamedFiles).toEqual([]);
  });

  test('of types are specific', () => {
    const vagueNames =
      /\b(?:interface|type) (?:Asked|Told|Found|Parts?|Reading|Known|Given|One|Manner|Ears|Looks|Waiting|Kept|Taken|Standing)\b/;
    expect(product.filter(({ text }) => vagueNames.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('of functions are verbs or nouns: none is a past participle such as `parsed`', () => {
    const participle =
      /^ *(?:export )?(?:async )?(?:function\*? ([a-z]+ed)\b|const ([a-z]+ed) = (?:async )?(?:<[^>]*>)?\([^()]*\)(?:: [^=;]+)? =>)/gm;
    const names = product.flatMap(({ path, text }) =>
      [...text.matchAll(participle)].map(([, declared, assigned]) => `${path}: ${declared ?? assigned}`),
    );
    expect(names.filter((name) => !/: (?:feed|need|seed|speed)$/.test(name))).toEqual([]);
  });
});

test('no row type is asserted by hand, since `select` infers it from a shape (server/db/core/rowShape.ts)', () => {
  const assertedRows = product.flatMap((source) =>
    nodesOf(source.program, 'TSAsExpression')
      .filter(({ expression }) => isRowQuery(expression))
      .map(({ start }) => `${source.path}:${source.text.slice(0, Number(start)).split('\n').length}`),
  );
  expect(assertedRows).toEqual([]);
});

/** Whether an expression is a result of `rows` or `one`, awaited or not. */
function isRowQuery(node: unknown): boolean {
  const { type, argument, expression, callee } = node as Record<string, unknown>;
  if (type === 'AwaitExpression') return isRowQuery(argument);
  if (['ParenthesizedExpression', 'TSAsExpression', 'ChainExpression'].includes(String(type)))
    return isRowQuery(expression);
  const { property } = (callee ?? {}) as { property?: { name?: string } };
  return type === 'CallExpression' && ['rows', 'one'].includes(property?.name ?? '');
}

test('test files that are listed to start first exist', () => {
  expect(longFiles.filter((file) => !tests.some(({ path }) => path === file))).toEqual([]);
});

test('no test is skipped, exclusive or postponed', () => {
  const skippedTest = /\b(test|it|describe)\.(skip|only|todo|skipIf|runIf|fails)\b|\b(xit|xdescribe|fit|fdescribe)\(/;
  expect(
    tests
      .filter(({ path, text }) => path !== 'tests/unit/structure.test.ts' && skippedTest.test(text))
      .map(({ path }) => path),
  ).toEqual([]);
});

const lineCount = (text: string) => text.replace(/\n$/, '').split('\n').length;
const hasDefaultExport = (program: Source['program']) =>
  (program as { body: { type: string }[] }).body.some(({ type }) => type === 'ExportDefaultDeclaration');
/** Pages and heavy components loaded by `React.lazy`, which requires default exports. */
const isLazilyLoaded = (path: string) =>
  product.some(({ text }) =>
    new RegExp(`lazy\\([^)]*import\\([^)]*/${path.replace(/^.*\//, '').replace(/\.tsx?$/, '')}['"]`).test(text),
  );
