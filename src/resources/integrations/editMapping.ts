/** Edits a mapping by clicks in an example message. Pure. */
import {
  type MappingSection,
  type MessageMapping,
  pathsOf,
  type SourceText,
  sourceOf,
  type ValueSource,
} from '../../../schema/dsl/messageMapping';

/** Where a value is mapped to: `machine` or `ignored` of a section, or one of the section's fields. */
export interface MappingTarget {
  kind: keyof MessageMapping;
  part: 'machine' | 'ignored' | 'field';
  field?: string;
}

export interface TreeNode {
  /** JSONPath from the root of the message, with indexes: `$.items[0].id`. */
  path: string;
  label: string;
  depth: number;
  /** The value as text; absent for objects and arrays. */
  text?: string;
}

/** Limits of the displayed tree: nodes, elements per array, characters per value. */
const treeLimits = { nodes: 400, elements: 3, characters: 80 };

/** The values of a message up to `treeLimits`, in document order, with the objects and arrays that contain them. */
export function buildTree(message: unknown): TreeNode[] {
  const nodes: TreeNode[] = [];
  const visit = (value: unknown, node: Omit<TreeNode, 'text'>): void => {
    if (nodes.length >= treeLimits.nodes) return;
    if (typeof value !== 'object' || value === null) {
      nodes.push({ ...node, text: String(value).slice(0, treeLimits.characters) });
      return;
    }
    nodes.push(node);
    const { path, depth } = node;
    if (Array.isArray(value))
      for (const [index, item] of value.slice(0, treeLimits.elements).entries())
        visit(item, { path: `${path}[${index}]`, label: `${index + 1}`, depth: depth + 1 });
    else
      for (const [name, item] of Object.entries(value))
        visit(item, { path: path + stepOf(name), label: name, depth: depth + 1 });
  };
  visit(message, { path: '$', label: '$', depth: 0 });
  return nodes;
}

const stepOf = (name: string): string =>
  /^[\p{L}\p{N}_@:-]+$/u.test(name) ? `.${name}` : name.includes("'") ? `["${name}"]` : `['${name}']`;

/** The path relative to an object that the section reads, or from the root if no such object contains it. */
function relativePath(path: string, listPaths: readonly string[]): string {
  for (const base of listPaths) {
    if (base === '$') continue;
    // `*` matches any index. Elements of an array match even if the base names only the array.
    const pattern = base.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\[\\*\\]', '\\[\\d+\\]');
    const match = new RegExp(`^${pattern}(?:\\[\\d+\\])?(?=[.[])`).exec(path);
    if (match) return path.slice(match[0].length).replace(/^\./, '');
  }
  return path;
}

const emptySection: MappingSection = { fields: {} };

/**
 * Maps a path to a target. If the first field of a section, or its `ignored`, is inside a list, the section reads each
 * element of that list.
 */
export function assignPath(
  mapping: MessageMapping,
  { kind, part, field }: MappingTarget,
  { path, ...source }: ValueSource & { path: string },
): MessageMapping {
  const storedSection = mapping[kind] ?? emptySection;
  const isFirst = part !== 'machine' && Object.keys(storedSection.fields).length === 0;
  const list = isFirst ? /^.*\[\d+\](?=[.[])/.exec(path)?.[0].replaceAll(/\[\d+\]/g, '[*]') : undefined;
  const listPath = storedSection.each ?? list;
  // The machine may have been mapped first, with a path to the first element of the list.
  const section =
    storedSection.each === undefined && list !== undefined ? withRelativePaths(storedSection, list) : storedSection;
  const relative = relativePath(path, [listPath ?? '$'].flat());
  const value = Object.keys(source).length === 0 ? relative : { path: relative, ...source };
  const next: MappingSection = {
    ...section,
    ...(listPath !== undefined && { each: listPath }),
    ...(part === 'field' ? { fields: { ...section.fields, [field as string]: value } } : { [part]: value }),
  };
  return { ...mapping, [kind]: next };
}

/** The section for a list that it did not name before: `machine` and `ignored` become relative to the elements. */
function withRelativePaths({ machine, ignored, ...section }: MappingSection, listPath: string): MappingSection {
  const relative = (source: SourceText): SourceText => {
    const { path, ...properties } = sourceOf(source);
    if (path === undefined) return source;
    const paths = pathsOf({ path }).map((sourcePath) => relativePath(sourcePath, [listPath]));
    const next = paths.length === 1 ? (paths[0] as string) : paths;
    return Object.keys(properties).length === 0 ? next : { path: next, ...properties };
  };
  return {
    ...section,
    ...(machine !== undefined && { machine: relative(machine) }),
    ...(ignored !== undefined && { ignored: relative(ignored) }),
  };
}

/** Removes a value from a mapping, and its section if that becomes empty. */
export function removeTarget(mapping: MessageMapping, { kind, part, field }: MappingTarget): MessageMapping {
  const section = mapping[kind];
  if (!section) return mapping;
  const { [kind]: _, ...others } = mapping;
  const fields = Object.fromEntries(
    Object.entries(section.fields).filter(([name]) => part !== 'field' || name !== field),
  );
  const { machine, ignored, ...properties } = section;
  const next: MappingSection = {
    ...properties,
    ...(part !== 'machine' && machine !== undefined && { machine }),
    ...(part !== 'ignored' && ignored !== undefined && { ignored }),
    fields,
  };
  return Object.keys(fields).length === 0 && next.machine === undefined ? others : { ...mapping, [kind]: next };
}

export interface MappedValue extends MappingTarget {
  paths: readonly string[];
  unit?: string;
  wordCount: number;
  value?: string;
}

/** The entries of a mapping, in its order. */
export const mappedValues = (mapping: MessageMapping): MappedValue[] =>
  (Object.entries(mapping) as [keyof MessageMapping, MappingSection][]).flatMap(([kind, section]) => [
    ...(section.machine === undefined ? [] : [mappedValueOf({ kind, part: 'machine' }, sourceOf(section.machine))]),
    ...(section.ignored === undefined ? [] : [mappedValueOf({ kind, part: 'ignored' }, sourceOf(section.ignored))]),
    ...Object.entries(section.fields).map(([field, source]) =>
      mappedValueOf({ kind, part: 'field', field }, sourceOf(source)),
    ),
  ]);

const mappedValueOf = (target: MappingTarget, source: ValueSource): MappedValue => ({
  ...target,
  paths: pathsOf(source),
  ...(source.unit !== undefined && { unit: source.unit }),
  wordCount: Object.keys(source.words ?? {}).length,
  ...(source.value !== undefined && { value: String(source.value) }),
});

/** Parses lines of `theirs = ours`; `undefined` if there are none. */
export function parseWords(text: string): Record<string, string> | undefined {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const [, vendorWord, choice] = /^\s*(.*?)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    return vendorWord && choice ? [[vendorWord, choice]] : [];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
