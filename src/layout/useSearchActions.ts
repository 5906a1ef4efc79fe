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
  /** Exists for every entity: offered only once its name is typed, or on the page of a row. */
  isGeneral?: true;
  /** Whether the user has the permission; the server decides about the single row. */
  isAllowed: () => boolean;
  /** The rows it applies to, as a list filter and as a predicate; default: every row. */
  filter?: Filters;
  fits?: (row: RaRecord) => boolean;
  /** Path of a page, or a component that runs the action when it mounts, with the dialog of the row's page. */
  act: { to: (id: RaRecord['id']) => string } | ComponentType<SearchActionProps>;
}

/** A chosen action with its row. */
export interface ChosenAction extends Pick<SearchActionProps, 'entity' | 'row'> {
  Dialog: ComponentType<SearchActionProps>;
}

type LoadActions = () => Promise<readonly SearchAction[]>;
let load: LoadActions = async () => [];

/** Sets the loader of the actions. They import dialogs of pages, so they load with the first search. */
export const provideSearchActions = (loader: LoadActions): void => {
  load = loader;
};

/** The actions permitted to the user; empty until loaded. */
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

/** The row to whose pages a path belongs. */
export function rowAt(pathname: string): { entity: Entity; id: number } | undefined {
  const steps = pathname.split('/');
  for (const [index, step] of steps.entries()) {
    const entity = entities.find(({ name, alias }) => name === step || alias.includes(step));
    const id = Number(steps[index + 1] || Number.NaN);
    if (entity && Number.isInteger(id)) return { entity, id };
  }
}
