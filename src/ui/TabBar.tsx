import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

export interface Tab {
  /** Path that the tab opens; also identifies the tab. */
  to: string;
  label: string;
}

interface TabBarProps {
  tabs: readonly Tab[];
  /** The `to` of the open tab. */
  current: string;
  /** Accessible name of the tabs. */
  label: string;
  onChosen?: (tab: Tab) => void;
  /** `small` for tabs inside a tab. */
  size?: 'normal' | 'small';
}

/** Tabs that each have a URL, so that they can be linked, reloaded and navigated back to. */
export const TabBar = ({ tabs, current, label, onChosen, size = 'normal' }: TabBarProps) => {
  const bar = useRef<HTMLElement>(null);
  // On phones the open tab may be outside the visible part.
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && bar.current && open)
      bar.current.scrollLeft =
        open.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2;
  }, [current]);
  return (
    <nav ref={bar} className="sl-tabs" data-size={size} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={tab.to === current ? 'page' : undefined}
          onClick={() => onChosen?.(tab)}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
};
