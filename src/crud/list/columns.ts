/**
 * Columns of a list: which exist, which are visible, their order and widths. Stored for the session of the browser tab.
 */
import { useCallback, useMemo, useState } from 'react';
import type { Entity } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { relationName } from '../../../schema/dsl/relationName';
import { parseWidths, printWidths, type Widths } from '../../../schema/shared/widths';
import { can } from '../../providers/auth';
import { tabStorage } from '../../providers/tabStorage';
import { findEntity, includesOf, isReadable } from '../shared/entities';
import { inputKinds } from '../shared/filters';

export interface Column {
  name: string;
  field: Field;
  /** Sort key: the field, or the title of the referenced row; `undefined` if the column cannot be sorted. */
  sort?: string;
  /** Whether values are right-aligned, as numbers are. */
  numeric: boolean;
  /** Whether the column is visible only because of a filter on it. */
  isFiltered?: true;
}

export interface Columns {
  /** The visible columns, identity first. */
  visible: readonly Column[];
  available: readonly Column[];
  /** The image shown before the identity, if its column is visible. */
  picture?: string;
  include: readonly string[];
  /** Widths set by the user. */
  widths: Widths;
  choose: (names: readonly string[], widths?: Widths) => void;
  resize: (name: string, width: number | undefined) => void;
  reset: () => void;
}

/** All columns that the user may show, in declared order. */
export function availableColumns(entity: Entity): Column[] {
  const counts = Object.keys(entity.fields).filter((name) => entity.fields[name]?.kind === 'many');
  const names = new Set<string>([...entity.list.columns, ...entity.list.hidden, ...counts]);
  return [...names].flatMap((name) => {
    const field = entity.fields[name];
    if (
      !field ||
      !isReadable(field) ||
      field.kind === 'password' ||
      (field.kind === 'many' && !can(field.to as string, 'list'))
    )
      return [];
    return [{ name, field, sort: sortOf(name, field), numeric: numericKinds.includes(field.kind) }];
  });
}

/** The column that holds the row's title and links to its page. */
export function identityOf(entity: Entity, names: readonly string[]): string {
  return (
    names.find((name) => name === entity.title || entity.titles.includes(name)) ?? entity.titles[0] ?? entity.title
  );
}

const storageKeys = ({ name }: Entity) => ({ key: `sweepline.columns.${name}`, widthsKey: `sweepline.widths.${name}` });

/** Stores the columns; the next list that opens uses them. */
export function storeColumns(entity: Entity, names: readonly string[], widths: Widths): void {
  const { key, widthsKey } = storageKeys(entity);
  store(key, names);
  store(widthsKey, printWidths(widths, names));
}

/** The current columns and their setters. */
export function useColumns(entity: Entity): Columns {
  const { key, widthsKey } = storageKeys(entity);
  const [selectedNames, setSelectedNames] = useState(() => readStored(key) ?? entity.list.columns);
  const [widths, setWidths] = useState<Widths>(() => parseWidths(readStored(widthsKey) ?? []));
  const applyWidths = useCallback(
    (next: Widths) => {
      setWidths(next);
      store(widthsKey, printWidths(next, Object.keys(next)));
    },
    [widthsKey],
  );
  const choose = useCallback(
    (names: readonly string[], next?: Widths) => {
      setSelectedNames(names);
      store(key, names);
      if (next) applyWidths(next);
    },
    [key, applyWidths],
  );
  const resize = useCallback(
    (name: string, width: number | undefined) => {
      const { [name]: _, ...others } = widths;
      applyWidths(width === undefined ? others : { ...others, [name]: width });
    },
    [applyWidths, widths],
  );
  const reset = useCallback(() => {
    setSelectedNames(entity.list.columns);
    store(key, undefined);
    applyWidths({});
  }, [entity, key, applyWidths]);
  return useMemo(() => {
    const available = availableColumns(entity);
    const identity = identityOf(entity, selectedNames);
    const names = [identity, ...selectedNames.filter((name) => name !== identity)];
    const selectedColumns = names.flatMap((name) => available.find((column) => column.name === name) ?? []);
    const picture = selectedColumns.find(({ field }) => field.kind === 'image')?.name;
    const visible = selectedColumns.filter(({ name }) => name !== picture);
    return { visible, available, picture, widths, choose, resize, reset, include: includesOf(entity, names) };
  }, [entity, selectedNames, widths, choose, resize, reset]);
}

/**
 * Inserts columns that have a range filter after the identity, unless they are visible anyway, so that the filtered
 * values can be seen.
 */
export function withFiltered(columns: Columns, filterValues: Readonly<Record<string, unknown>>): Columns {
  const [identity, ...others] = columns.visible;
  const filteredColumns = columns.available.filter(
    ({ name, field }) =>
      name in filterValues &&
      inputKinds[field.kind] === 'range' &&
      !columns.visible.some((column) => column.name === name),
  );
  if (!identity || filteredColumns.length === 0) return columns;
  return {
    ...columns,
    visible: [identity, ...filteredColumns.map((column): Column => ({ ...column, isFiltered: true })), ...others],
  };
}

/** Kinds with right-aligned values. */
const numericKinds: readonly Kind[] = ['integer', 'number', 'money', 'many'];

/** Kinds that cannot be sorted. */
const unsortableKinds: readonly Kind[] = ['tags', 'image', 'password', 'refs', 'many', 'records', 'longtext', 'json'];

function sortOf(name: string, field: Field): string | undefined {
  if (field.kind === 'ref') return `${relationName(name, field)}.${findEntity(field.to)?.titles[0] ?? 'id'}`;
  if (unsortableKinds.includes(field.kind) || (field.store === 'derived' && field.kind === 'text')) return undefined;
  return name;
}

function readStored(key: string): string[] | undefined {
  const names = tabStorage.readJson(key);
  return Array.isArray(names) && names.length > 0 ? names.filter((name) => typeof name === 'string') : undefined;
}

const store = (key: string, names: readonly string[] | undefined) =>
  tabStorage.write(key, names?.length ? JSON.stringify(names) : undefined);
