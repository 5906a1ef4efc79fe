/** Layouts of a list, chosen by `?view=` in the URL. */
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { IconName } from '../../ui/Icon';

export interface ListView {
  name: string;
  label: string;
  icon?: IconName;
  element: ReactNode;
}

/** The current layout (`undefined` for the table) and its setter. */
export function useListView(
  views: readonly ListView[] | undefined,
): [string | undefined, (name: string | undefined) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const requestedView = new URLSearchParams(search).get('view') ?? undefined;
  const choose = (name: string | undefined) => {
    const params = new URLSearchParams(search);
    if (name) params.set('view', name);
    else params.delete('view');
    navigate({ search: params.toString() });
  };
  return [views?.some(({ name }) => name === requestedView) ? requestedView : undefined, choose];
}
