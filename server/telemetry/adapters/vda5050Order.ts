/** Order of a VDA 5050 state: how much of it remains, and the progress of its cleaning. */

import type { Attributes } from './interpretAttributes';
import { isObject, type Json, ownProperty, textOrEmpty } from './json';
import { requireStorable, truncate } from './requireStorable';

type IsCleaning = (actionType: string) => boolean;

const actionLists = ['actionStates', 'instantActionStates', 'zoneActionStates'];

/** The objects in a list of a message; empty if there is no such list. */
export function readObjects(fields: Json, list: string): Json[] {
  const entries = ownProperty(fields, list);
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

const actionsOf = (fields: Json): Json[] => actionLists.flatMap((list) => readObjects(fields, list));

/** Whether each running action cleans. */
export const runningCleaningFlags = (fields: Json, isCleaning: IsCleaning): boolean[] =>
  actionsOf(fields)
    .filter(({ actionStatus }) => actionStatus === 'RUNNING')
    .map(({ actionType }) => isCleaning(textOrEmpty(actionType)));

const isEnded = ({ actionStatus }: Json) => actionStatus === 'FINISHED' || actionStatus === 'FAILED';

/**
 * Number of nodes, edges and actions of the order still to do. `orderId` alone does not mean that there are any: it
 * remains after the order.
 */
export function remainingSteps(fields: Json): number {
  if (!ownProperty(fields, 'orderId')) return 0;
  const [nodes, edges, actions] = ['nodeStates', 'edgeStates', 'actionStates'].map((list) => readObjects(fields, list));
  return (nodes?.length ?? 0) + (edges?.length ?? 0) + (actions?.filter((action) => !isEnded(action)).length ?? 0);
}

/** Attributes that `deriveOrderRuns` reads. */
export const orderAttributes = {
  /** Number of remaining steps (`remainingSteps`). */
  left: 'order.left',
  /** Type of the running cleaning action, else of the first one. */
  action: 'order.action',
  finished: 'order.finished',
  failed: 'order.failed',
  cancelled: 'order.cancelled',
} as const;

/** Attributes of an order; empty without one. Counts cleaning actions only if the order contains some. */
export function orderAttributesOf(fields: Json, isCleaning: IsCleaning): Attributes {
  if (!ownProperty(fields, 'orderId')) return new Map();
  const actions = actionsOf(fields);
  const cleaningActions = actions.filter(({ actionType }) => isCleaning(textOrEmpty(actionType)));
  const count = (status: string) => cleaningActions.filter(({ actionStatus }) => actionStatus === status).length;
  const action = cleaningActions.find(({ actionStatus }) => actionStatus === 'RUNNING') ?? cleaningActions[0];
  const isCancelled = actions.some(
    ({ actionType, actionStatus }) =>
      actionType === 'cancelOrder' && (actionStatus === 'RUNNING' || actionStatus === 'FINISHED'),
  );
  return new Map<string, string | number | boolean>([
    [orderAttributes.left, remainingSteps(fields)],
    ...(action
      ? ([
          [orderAttributes.action, truncate(requireStorable(textOrEmpty(action.actionType)), 120)],
          [orderAttributes.finished, count('FINISHED')],
          [orderAttributes.failed, count('FAILED')],
        ] as const)
      : []),
    ...(isCancelled ? ([[orderAttributes.cancelled, true]] as const) : []),
  ]);
}
