import { type ComponentProps, type MouseEvent, useContext } from 'react';
import { Link, UNSAFE_DataRouterContext as RouterContext } from 'react-router-dom';

/**
 * A link to an absolute path. Unlike `Link` it does not render again whenever the URL changes, which matters in
 * tables with hundreds of links.
 */
export const PathLink = ({ to, ...props }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: string }) => {
  const router = useContext(RouterContext)?.router;
  // Tests render single components in other routers.
  if (!router) return <Link {...props} to={to} />;
  const handleClick = (event: MouseEvent) => {
    const isForBrowser = event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (event.defaultPrevented || isForBrowser) return;
    event.preventDefault();
    void router.navigate(to);
  };
  return <a {...props} href={to} onClick={handleClick} />;
};
