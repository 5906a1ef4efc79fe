import './ranking.css';
import { type ReactNode, useId } from 'react';

/** A titled list of the best or worst machines or sites. */
export const Ranking = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <div className="sl-ranking">
      <p id={id}>{title}</p>
      <ol aria-labelledby={id}>{children}</ol>
    </div>
  );
};
