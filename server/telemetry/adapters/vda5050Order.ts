/** Order of a VDA 5050 state: what is left of it, and how its cleaning goes. */
import { isObject, type Json, ownOf } from './json';
import type { Attributes } from './meaningOf';
import { storable, truncate } from './storable';

type IsCleaning = (actionType: string) => boolean;

const actionLists = ['actionStates', 'instantActionStates', 'zoneActionStates'];

export function objectsIn(fields: Json, list: string): Json[] {
  const entries = ownOf(fields, list);
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

const actionsOf = (fields: Json): Json[] => actionLists.flatMap((list) => objectsIn(fields, list));

/** Whether each running action cleans. */
export const runningActions = (fields: Json, isCleaning: IsCleaning): boolean[] =>
  actionsOf(fields)
    .filter(({ actionStatus }) => actionStatus === 'RUNNING')
    .map(({ actionType }) => isCleaning(String(actionType ?? '')));

const isEnded = ({ actionStatus }: Json) => actionStatus === 'FINISHED' || actionStatus === 'FAILED';

/** Nodes, edges and actions of the order that are left. `orderId` alone says nothing: it is kept after the order. */
export function leftOfOrder(fields: Json): number {
  if (!ownOf(fields, 'orderId')) return 0;
  const [nodes, edges, actions] = ['nodeStates', 'edgeStates', 'actionStates'].map((list) => objectsIn(fields, list));
  return (nodes?.length ?? 0) + (edges?.length ?? 0) + (actions?.filter((action) => !isEnded(action)).length ?? 0);
}

/** Attributes from which runs follow (`deriveOrderRuns.ts`). */
export const orderAttributes = {
  left: 'order.left',
  /** Type of the cleaning action that runs, or else of the first one. */
  action: 'order.action',
  finished: 'order.finished',
  failed: 'order.failed',
  cancelled: 'order.cancelled',
} as const;

/** None without an order; counts of cleaning actions only where there are some. */
export function orderAttributesOf(fields: Json, isCleaning: IsCleaning): Attributes {
  if (!ownOf(fields, 'orderId')) return new Map();
  const actions = actionsOf(fields);
  const cleaning = actions.filter(({ actionType }) => isCleaning(String(actionType ?? '')));
  const count = (status: string) => cleaning.filter(({ actionStatus }) => actionStatus === status).length;
  const action = cleaning.find(({ actionStatus }) => actionStatus === 'RUNNING') ?? cleaning[0];
  const isCancelled = actions.some(
    ({ actionType, actionStatus }) =>
      actionType === 'cancelOrder' && (actionStatus === 'RUNNING' || actionStatus === 'FINISHED'),
  );
  return new Map<string, string | number | boolean>([
    [orderAttributes.left, leftOfOrder(fields)],
    ...(action
      ? ([
          [orderAttributes.action, truncate(storable(String(action.actionType)), 120)],
          [orderAttributes.finished, count('FINISHED')],
          [orderAttributes.failed, count('FAILED')],
        ] as const)
      : []),
    ...(isCancelled ? ([[orderAttributes.cancelled, true]] as const) : []),
  ]);
}
