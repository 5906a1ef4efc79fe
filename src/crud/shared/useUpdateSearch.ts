import { useContext } from 'react';
import { UNSAFE_DataRouterContext as RouterContext, useLocation, useNavigate } from 'react-router-dom';

type SearchValues = Record<string, string | number | undefined>;

/**
 * Returns a function that sets query parameters of the URL. It does not add to the browser's history unless
 * `isNewEntry` is set. An empty value removes its parameter.
 *
 * It changes the router's current URL, or the target of a pending navigation, rather than the URL with which
 * the component last rendered. A page stays usable while the next URL renders, and must neither undo the last
 * choice nor return to the tab that the user has left. Calls from a page whose section the user has left are ignored.
 */
export function useUpdateSearch(): (values: SearchValues, options?: { isNewEntry?: boolean }) => void {
  const navigate = useNavigate();
  const location = useLocation();
  const router = useContext(RouterContext)?.router;
  return (values, { isNewEntry = false } = {}) => {
    // Tests render single components in other routers.
    const { pathname, search } = router ? (router.state.navigation.location ?? router.state.location) : location;
    if (sectionOf(pathname) !== sectionOf(location.pathname)) return;
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(values))
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    navigate({ pathname, search: String(next) }, { replace: !isNewEntry });
  };
}

/** The first segment of a path: the reports, or the machines with all their tabs. */
const sectionOf = (pathname: string): string => pathname.split('/', 2).join('/');
