import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { crumbsOf, useCrumbs } from './crumbs';
import { useTitle } from './useTitle';

/** A heading only while it says something: stock pages fill it, ours have a head of their own. */
const heading = { role: 'heading', 'aria-level': 1 } as const;

/**
 * Where react-admin's `<Title>` puts the name of a stock page: its heading, the name of the browser tab and the last
 * breadcrumb.
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

/** Of the way to a page that only its developer knows, the parts that nothing names are left out. */
const TitleEffects = ({ title }: { title: string }) => {
  const { pathname } = useLocation();
  const above = crumbsOf(pathname)
    .slice(0, -1)
    .filter(({ headerName }) => !headerName.startsWith('#'));
  useCrumbs([...above, { headerName: title }]);
  useTitle(title);
  return null;
};
