/** Maps columns of a file to fields. Headings may be field names, or labels in any of the six languages. */

import type { Field } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import type { ImportColumn } from '../../../schema/shared/imports';
import { languageCodes } from '../../../schema/shared/languages';
import { type Caller, hasPermission } from '../../context/caller';
import type { ModelEntity } from '../../context/services';
import { readableFields, writableFields } from '../../crud/query/fields';
import { labelOf } from '../../i18n/messages';

/** Target of a column: a field filled by value, or a reference filled by name. */
export interface Target {
  /** Name in `mapping`: `fleet_id` for ids, or `fleet` for names. */
  name: string;
  field: string;
  isByName: boolean;
}

/** Returns the targets that the caller may fill, in the order of the template. `id` selects the row. */
export function listTargets(entity: ModelEntity, caller: Caller): Target[] {
  const actions = (['create', 'edit'] as const).filter((action) => hasPermission(caller, `${entity.name}.${action}`));
  const allowedNames = new Set(actions.flatMap((action) => writableFields(entity, caller, action)));
  const fields = entity.imports.columns.filter((name) => allowedNames.has(name));
  return [
    { name: 'id', field: 'id', isByName: false },
    ...fields.flatMap((name) => listFieldTargets(name, entity.fields[name] as Field)),
  ];
}

function listFieldTargets(name: string, field: Field): Target[] {
  const valueTarget = { name, field: name, isByName: false };
  const relation = field.kind === 'ref' || field.kind === 'refs' ? relationName(name, field) : undefined;
  return relation ? [{ name: relation, field: name, isByName: true }, valueTarget] : [valueTarget];
}

/** Normalises a heading: drops case, the mark of required columns, and units in brackets. */
const normalizeHeading = (text: string) =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?\*$/, '')
    .replace(/(?<=.) ?[([][^()[\]]*[)\]]$/, '');

/**
 * Maps each column by `mapping`, otherwise by its heading. Columns without a writable target are skipped, with a
 * reason.
 */
export function mapColumns(
  { entity, caller }: { entity: ModelEntity; caller: Caller },
  headings: readonly string[],
  {
    mapping = {},
    samples,
  }: { mapping?: Readonly<Record<string, string | null>>; samples: readonly (readonly string[])[] },
): ImportColumn[] {
  const targets = listTargets(entity, caller);
  const byHeading = targetNamesByHeading(entity, caller);
  const usedFields = new Set<string>();
  return headings.map((heading, index): ImportColumn => {
    const isName = heading !== '' && headings.filter((other) => other === heading).length === 1;
    const key = isName ? heading : `#${index + 1}`;
    const column = { index, head: heading, key, samples: samples[index] ?? [] };
    const requestedName = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
    if (requestedName === null) return { ...column, target: null, left_out: 'chosen' };
    const names =
      requestedName === undefined
        ? (byHeading.get(normalizeHeading(heading)) ?? [normalizeHeading(heading)])
        : [requestedName];
    const target = targets.find(({ name }) => names.includes(name));
    if (!target)
      return {
        ...column,
        target: null,
        left_out:
          byHeading.has(normalizeHeading(heading)) ||
          names.some((name) => readableFields(entity, caller).includes(name))
            ? 'read_only'
            : 'unknown',
      };
    if (usedFields.has(target.field)) return { ...column, target: null, left_out: 'twice' };
    usedFields.add(target.field);
    return { ...column, target: target.name };
  });
}

/** Returns targets that the caller may not fill, including hidden fields. */
export function unmappableTargets(entity: ModelEntity, caller: Caller, targets: readonly (string | null)[]): string[] {
  const names = new Set(listTargets(entity, caller).map(({ name }) => name));
  return targets.filter((target): target is string => target !== null && !names.has(target));
}

/**
 * Maps field names and labels to their possible targets. Labels of references stand for names, as in our exports.
 * Labels in the reader's language take precedence.
 */
function targetNamesByHeading(entity: ModelEntity, caller: Caller): Map<string, string[]> {
  const readableNames = readableFields(entity, caller);
  const namesByHeading = new Map<string, string[]>();
  const addTarget = (heading: string, name: string) => {
    const names = namesByHeading.get(normalizeHeading(heading)) ?? [];
    if (!names.includes(name)) namesByHeading.set(normalizeHeading(heading), [...names, name]);
  };
  const fields = Object.entries(entity.fields).filter(([name]) => readableNames.includes(name));
  // Writable fields come first, so that they take precedence over read-only fields with the same label.
  const sortedFields = [
    ...fields.filter(([, { write }]) => write !== false),
    ...fields.filter(([, { write }]) => write === false),
  ];
  for (const [name, field] of sortedFields) {
    addTarget(name, name);
    const relation = field.kind === 'ref' || field.kind === 'refs' ? relationName(name, field) : undefined;
    if (relation) addTarget(relation, relation);
  }
  for (const language of [caller.language, ...languageCodes.filter((code) => code !== caller.language)])
    for (const [name, field] of sortedFields) {
      const relation = field.kind === 'ref' || field.kind === 'refs' ? relationName(name, field) : undefined;
      if (
        !namesByHeading.get(normalizeHeading(labelOf(language, entity, name)))?.length ||
        language === caller.language
      )
        addTarget(labelOf(language, entity, name), relation ?? name);
    }
  return namesByHeading;
}
