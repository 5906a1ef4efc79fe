/** What people can do to a row from the search: the actions of the product, and which of them fit a row. */
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
  /** The same for rows of every entity: offered once its name is typed, or on the page of a row. */
  isGeneral?: true;
  /** Whether the user may do it to any row. The server decides about the single row. */
  isAllowed: () => boolean;
  /** Filter of the rows that it fits, and the same for a row at hand; default: every row. */
  filter?: Filters;
  fits?: (row: RaRecord) => boolean;
  /** The page where it is done, or a component that does it when it mounts, by the dialog of the row's page. */
  act: { to: (id: RaRecord['id']) => string } | ComponentType<SearchActionProps>;
}

/** What is done to which row. */
export interface ChosenAction extends Pick<SearchActionProps, 'entity' | 'row'> {
  Dialog: ComponentType<SearchActionProps>;
}

type LoadActions = () => Promise<readonly SearchAction[]>;
let load: LoadActions = async () => [];

/** Sets where the actions come from: they name dialogs of pages, which load with the first search. */
export const provideSearchActions = (from: LoadActions): void => {
  load = from;
};

/** The actions that the user may do; none until they have loaded. */
export function useSearchActions(): readonly SearchAction[] {
  const [actions, setActions] = useState<readonly SearchAction[]>([]);
  useEffect(() => {
    let isGone = false;
    void load().then((all) => isGone || setActions(all.filter(({ isAllowed }) => isAllowed())));
    return () => {
      isGone = true;
    };
  }, []);
  return actions;
}

/** The row whose page, or a page below it, has this path. */
export function rowAt(pathname: string): { entity: Entity; id: number } | undefined {
  const steps = pathname.split('/');
  for (const [index, step] of steps.entries()) {
    const entity = entities.find(({ name, alias }) => name === step || alias.includes(step));
    const id = Number(steps[index + 1] || Number.NaN);
    if (entity && Number.isInteger(id)) return { entity, id };
  }
}
