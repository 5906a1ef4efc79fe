import './ranking.css';
import type { ReactNode } from 'react';

/** The best or worst of their kind, as list items. */
export const Ranking = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="sl-ranking">
    <h4>{title}</h4>
    <ol>{children}</ol>
  </div>
);
