import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { crumbsOf, useCrumbs } from '../ui/crumbs';
import { useTitle } from '../ui/useTitle';

/** A heading by role only: stock pages fill it, while our own pages leave it empty and have their own heading. */
const heading = { role: 'heading', 'aria-level': 1 } as const;

/**
 * Where react-admin's `<Title>` renders on stock pages. Also sets the title of the browser tab and the last breadcrumb.
 */
export const TitleSlot = () => {
  const slot = useRef<HTMLDivElement>(null);
  const [title, setTitle] = useState('');
  useEffect(() => {
    if (!slot.current) return;
    const read = () => setTitle(slot.current?.textContent?.trim() ?? '');
    const observer = new MutationObserver(read);
    observer.observe(slot.current, { childList: true, characterData: true, subtree: true });
    read();
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div ref={slot} id="react-admin-title" className="sl-title-slot" {...heading} />
      {title !== '' && <TitleEffects title={title} />}
    </>
  );
};

/** The breadcrumbs omit path segments without a name, as on custom pages. */
const TitleEffects = ({ title }: { title: string }) => {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname)
    .slice(0, -1)
    .filter(({ headerName }) => !headerName.startsWith('#'));
  useCrumbs([...crumbs, { headerName: title }]);
  useTitle(title);
  return null;
};
