/** Other ways to look at the rows of a list, chosen in the address by `?view=`. */
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { IconName } from '../../ui/Icon';

export interface ListView {
  name: string;
  label: string;
  icon?: IconName;
  element: ReactNode;
}

/** The name of the open view, `undefined` for the table, and how to open another. */
export function useView(
  views: readonly ListView[] | undefined,
): [string | undefined, (name: string | undefined) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const asked = new URLSearchParams(search).get('view') ?? undefined;
  const choose = (name: string | undefined) => {
    const params = new URLSearchParams(search);
    if (name) params.set('view', name);
    else params.delete('view');
    navigate({ search: params.toString() });
  };
  return [views?.some(({ name }) => name === asked) ? asked : undefined, choose];
}
