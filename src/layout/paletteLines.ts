/** The lines of the search: records, pages, actions, and the rows to which an action applies. */
import { keepPreviousData } from '@tanstack/react-query';
import { type RaRecord, useGetList, useGetOne, useTranslate } from 'ra-core';
import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import type { Entity } from '../../schema/dsl/entity';
import { hintRelations, hintsOf } from '../../schema/features/search';
import type { Language } from '../../schema/shared/languages';
import { defaultSort } from '../crud/shared/defaultSort';
import { findEntity, relatedOf, titleOf } from '../crud/shared/entities';
import { pathOf } from '../crud/shared/paths';
import { useLanguage } from '../crud/shared/useLanguage';
import { can } from '../providers/auth';
import { useRecentlyViewed } from '../providers/useRecentlyViewed';
import type { IconName } from '../ui/Icon';
import { useDebouncedValue } from '../ui/useDebouncedValue';
import { filterByName, navigationTargets } from './navigationTargets';
import { rowAt, type SearchAction, useSearchActions } from './useSearchActions';
import { typingDelay, useSearchResults } from './useSearchResults';

export interface Line {
  key: string;
  icon: IconName;
  name: string;
  hint?: string;
  /** Opens this page. */
  to?: string;
  /** Resets the stored filters of all lists before opening the page. */
  resetsLists?: boolean;
  /** Runs the action on `row` or, without one, lets the user choose a row. */
  action?: SearchAction;
  row?: RaRecord;
}

export interface LineGroup {
  title: string;
  lines: Line[];
}

export interface PaletteLines {
  groups: LineGroup[];
  isPending: boolean;
  isFailed: boolean;
}

const icons: Partial<Record<string, IconName>> = {
  machines: 'machines',
  clients: 'clients',
  users: 'users',
  locations: 'pin',
  documents: 'file',
  invitations: 'mail',
};
const iconOf = (entity: string): IconName => icons[entity] ?? 'table';
/** Maximum number of rows offered as targets of an action. */
const maxTargets = 8;

/** Without text: recently viewed records, actions and pages. With text: matching records, then actions and pages. */
export function usePaletteLines(searchText: string): PaletteLines {
  const translate = useTranslate();
  const language = useLanguage();
  const { groups: resultGroups, isPending, isFailed } = useSearchResults(searchText);
  const targets = useMemo(
    () => navigationTargets().map((target) => ({ ...target, name: translate(target.label) })),
    [translate],
  );
  const viewed = useRecentlyViewed();
  const { ofRow, others } = useActionLines(searchText);
  const isBlank = searchText.trim() === '';
  const matchingTargets = (isBlank ? targets : filterByName(targets, searchText)).map(
    ({ label, name, icon, to }): Line => ({ key: label, icon, name, to, resetsLists: icon !== 'plus' }),
  );
  const records = resultGroups.map(({ resource, rows }): LineGroup => {
    const entity = findEntity(resource);
    return {
      title: translate(`resources.${resource}.plural`),
      lines: rows.map((row) => ({
        ...lineOf(entity, row, language),
        key: `${resource} ${row.id}`,
        to: pathOf(resource, row.id),
      })),
    };
  });
  const recent: LineGroup = {
    title: translate('palette.recent'),
    lines: isBlank
      ? viewed.map(({ entity, id, title }) => ({
          key: `recent ${entity} ${id}`,
          icon: iconOf(entity),
          name: title,
          hint: translate(`resources.${entity}.plural`),
          to: pathOf(entity, id),
        }))
      : [],
  };
  const isCreation = ({ icon }: Line) => icon === 'plus';
  const actions: LineGroup = {
    title: translate('palette.actions'),
    lines: [...matchingTargets.filter(isCreation), ...others],
  };
  const pages: LineGroup = {
    title: translate('palette.pages'),
    lines: matchingTargets.filter((line) => !isCreation(line)),
  };
  const groups = [...ofRow, recent, ...records, pages, actions].filter(({ lines }) => lines.length > 0);
  return { groups, isPending, isFailed };
}

/** Actions on the row of the open page, and actions that need a row; filtered by name once the user types. */
function useActionLines(searchText: string): { ofRow: LineGroup[]; others: Line[] } {
  const translate = useTranslate();
  const language = useLanguage();
  const actions = useSearchActions();
  const openRow = rowAt(useLocation().pathname);
  const { data: row } = useGetOne<RaRecord>(
    openRow?.entity.name ?? '',
    { id: openRow?.id },
    { enabled: openRow !== undefined && can(openRow.entity.name, 'show'), meta: { quiet: true } },
  );
  const isBlank = searchText.trim() === '';
  const lines = actions.map((action): Line & { action: SearchAction } => ({
    key: `${action.entity.name} ${action.name}`,
    icon: action.icon,
    name: translate(action.label),
    hint: translate(`resources.${action.entity.name}.name`, { smart_count: 1 }),
    action,
  }));
  const rowLines = (isBlank ? lines : filterByName(lines, searchText)).flatMap(({ key, icon, name, action }): Line[] =>
    row && action.entity === openRow?.entity && (action.fits?.(row) ?? true)
      ? [{ key: `this ${key}`, icon, name, action, row }]
      : [],
  );
  return {
    ofRow: [{ title: titleOf(openRow?.entity, row, language), lines: rowLines }],
    others: (isBlank ? lines.filter(({ action }) => !action.isGeneral) : linesNamed(lines, searchText)).filter(
      ({ action }) => can(action.entity.name, 'list'),
    ),
  };
}

/** Actions whose name and entity contain all words ("edit client"); the first word must be in the action's own name. */
function linesNamed<L extends Line>(lines: readonly L[], searchText: string): L[] {
  const [first = ''] = searchText.trim().split(/\s+/);
  const matchingTargets = filterByName(
    filterByName(lines, first).map((line) => ({ line, name: `${line.name} ${line.hint}` })),
    searchText,
  );
  return matchingTargets.map(({ line }) => line);
}

/** The rows matching the typed text to which the action applies. */
export function useTargetLines(action: SearchAction, searchText: string): PaletteLines {
  const language = useLanguage();
  const translate = useTranslate();
  const { entity } = action;
  const text = searchText.trim();
  const search = useDebouncedValue(text, typingDelay);
  const { data, isFetching, isError } = useGetList<RaRecord>(
    entity.name,
    {
      filter: { ...action.filter, ...(search && { search }) },
      sort: defaultSort(entity),
      pagination: { page: 1, perPage: maxTargets },
      meta: { include: hintRelations(entity) },
    },
    { placeholderData: keepPreviousData, meta: { quiet: true } },
  );
  const lines = (data ?? [])
    .filter((row) => action.fits?.(row) ?? true)
    .map((row): Line => ({ ...lineOf(entity, row, language), key: String(row.id), action, row }));
  return {
    groups: lines.length > 0 ? [{ title: translate(`resources.${entity.name}.plural`), lines }] : [],
    isPending: isFetching || search !== text,
    isFailed: isError,
  };
}

/** A row as a line: its title, and values that distinguish it from rows with the same title. */
function lineOf(entity: Entity | undefined, row: Partial<RaRecord>, language: Language) {
  const hintOf = (name: string) => {
    const field = entity?.fields[name];
    const related = field && relatedOf(name, field, row);
    if (related) return related.map((relatedRow) => titleOf(findEntity(field.to), relatedRow, language)).join(', ');
    return field?.kind === 'ref' ? '' : String(row[name] ?? '');
  };
  return {
    icon: iconOf(entity?.name ?? ''),
    name: titleOf(entity, row, language),
    hint: (entity ? hintsOf(entity) : []).map(hintOf).filter(Boolean).join(' · '),
  };
}
