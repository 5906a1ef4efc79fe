/**
 * Grouping of a list by a field. Stored as `?by=` in the URL, or in the component for a list without a URL.
 */
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { groupableFields } from '../../../schema/dsl/grouping';
import { can } from '../../providers/auth';
import { isReadable } from '../shared/entities';

export interface ListGrouping {
  /** The field by which the list is grouped. */
  by: string | undefined;
  groupBy: (name: string | undefined) => void;
}

export function useGrouping(entity: Entity, syncsAddress: boolean): ListGrouping {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [groupField, setGroupField] = useState<string>();
  const requestedField = syncsAddress ? new URLSearchParams(search).get('by') : groupField;
  const groupBy = (name: string | undefined) => {
    if (!syncsAddress) return setGroupField(name);
    const params = new URLSearchParams(search);
    if (name) params.set('by', name);
    else params.delete('by');
    navigate({ search: params.toString() });
  };
  return { by: groupableNames(entity).find((name) => name === requestedField), groupBy };
}

/**
 * Fields by which the user may group: readable ones, for references only if the user may read the referenced rows.
 * Columns and facets of the list come first.
 */
export function groupableNames(entity: Entity): string[] {
  const names = groupableFields(entity).filter((name) => {
    const field = entity.fields[name];
    return field && isReadable(field) && (!field.to || can(field.to, 'list') || can(field.to, 'show'));
  });
  const isListed = (name: string) => entity.list.columns.includes(name) || entity.list.facets.includes(name);
  return [...names.filter(isListed), ...names.filter((name) => !isListed(name))];
}
