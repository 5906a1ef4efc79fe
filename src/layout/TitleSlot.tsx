import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { crumbsOf, useCrumbs } from '../ui/crumbs';
import { useTitle } from '../ui/useTitle';

/** The slot is a heading by role: stock pages fill it, while ours leave it empty and have their own head. */
const heading = { role: 'heading', 'aria-level': 1 } as const;

/** Target of react-admin's `<Title>` on stock pages: heading, title of the browser tab and last breadcrumb. */
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

/** Omits path segments without a name, as on custom pages. */
const TitleEffects = ({ title }: { title: string }) => {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname)
    .slice(0, -1)
    .filter(({ headerName }) => !headerName.startsWith('#'));
  useCrumbs([...crumbs, { headerName: title }]);
  useTitle(title);
  return null;
};
