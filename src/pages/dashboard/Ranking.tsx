import './ranking.css';
import type { ReactNode } from 'react';

/** A titled list of the best or worst machines or sites. */
export const Ranking = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="sl-ranking">
    <h4>{title}</h4>
    <ol>{children}</ol>
  </div>
);
