import { useContext } from 'react';
import { UNSAFE_DataRouterContext as RouterContext, useLocation, useNavigate } from 'react-router-dom';

type SearchValues = Record<string, string | number | undefined>;

/**
 * Returns a function that sets parameters of the address, by default without a new entry in the history. An empty value
 * removes its parameter.
 *
 * The parameters are set in the address as it is by then: a page stays usable while the next address is being rendered,
 * and must neither undo the last choice nor return to the tab that the user has left. What is chosen on a page that the
 * user has left for another section is dropped.
 */
export function useUpdateSearch(): (values: SearchValues, options?: { isNewEntry?: boolean }) => void {
  const navigate = useNavigate();
  const location = useLocation();
  const router = useContext(RouterContext)?.router;
  return (values, { isNewEntry = false } = {}) => {
    // Tests render pieces in other routers.
    const { pathname, search } = router ? (router.state.navigation.location ?? router.state.location) : location;
    if (sectionOf(pathname) !== sectionOf(location.pathname)) return;
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(values))
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    navigate({ pathname, search: String(next) }, { replace: !isNewEntry });
  };
}

/** The first step of a path: the reports, or the machines with all their tabs. */
const sectionOf = (pathname: string): string => pathname.split('/', 2).join('/');
