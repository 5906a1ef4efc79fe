import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

export interface Tab {
  /** Where the tab leads; also its identity. */
  to: string;
  label: string;
}

interface TabBarProps {
  tabs: readonly Tab[];
  /** The `to` of the open tab. */
  current: string;
  /** Names the group of tabs. */
  label: string;
  onChosen?: (tab: Tab) => void;
  /** `small` for tabs inside a tab. */
  size?: 'normal' | 'small';
}

/** Tabs that are pages of their own: each has an address, so that it can be linked, reloaded and gone back to. */
export const TabBar = ({ tabs, current, label, onChosen, size = 'normal' }: TabBarProps) => {
  const bar = useRef<HTMLElement>(null);
  // On a phone the open tab may lie beyond the edge.
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
