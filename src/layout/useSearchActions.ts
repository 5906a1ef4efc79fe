/** Actions on rows that the search offers. */
import type { RaRecord } from 'ra-core';
import { type ComponentType, useEffect, useState } from 'react';
import { entities } from '../../schema';
import type { Entity } from '../../schema/dsl/entity';
import type { Filters } from '../providers/filters';
import type { IconName } from '../ui/Icon';

export interface SearchActionProps {
  entity: Entity;
  row: RaRecord;
  onClose: () => void;
}

export interface SearchAction {
  /** Unique name. */
  name: string;
  entity: Entity;
  /** Translation key. */
  label: string;
  icon: IconName;
  /** Exists for every entity, so it is offered only once its name is typed, or on the page of a row. */
  isGeneral?: true;
  /** Whether the user has the permission. The server decides about the individual row. */
  isAllowed: () => boolean;
  /** The rows it applies to, as a list filter and as a predicate; default: every row. */
  filter?: Filters;
  fits?: (row: RaRecord) => boolean;
  /** Path of a page, or a component that opens the same dialog as the row's page when it mounts. */
  act: { to: (id: RaRecord['id']) => string } | ComponentType<SearchActionProps>;
}

/** A chosen action with its row. */
export interface ChosenAction extends Pick<SearchActionProps, 'entity' | 'row'> {
  Dialog: ComponentType<SearchActionProps>;
}

type LoadActions = () => Promise<readonly SearchAction[]>;
let load: LoadActions = async () => [];

/**
 * Sets the loader of the actions. It is injected because actions import dialogs of pages; they load with the first
 * search.
 */
export const provideSearchActions = (loader: LoadActions): void => {
  load = loader;
};

/** The actions that the user is permitted; empty until loaded. */
export function useSearchActions(): readonly SearchAction[] {
  const [actions, setActions] = useState<readonly SearchAction[]>([]);
  useEffect(() => {
    let isUnmounted = false;
    void load().then(
      (loadedActions) => isUnmounted || setActions(loadedActions.filter(({ isAllowed }) => isAllowed())),
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return actions;
}

/** The row to which the page at a path belongs; `undefined` for other pages. */
export function rowAt(pathname: string): { entity: Entity; id: number } | undefined {
  const steps = pathname.split('/');
  for (const [index, step] of steps.entries()) {
    const entity = entities.find(({ name, alias }) => name === step || alias.includes(step));
    const id = Number(steps[index + 1] || Number.NaN);
    if (entity && Number.isInteger(id)) return { entity, id };
  }
}
