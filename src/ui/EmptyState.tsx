import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';

interface EmptyStateProps {
  title: string;
  /** What belongs here, or why nothing is shown. */
  text?: string;
  /** The first step. */
  action?: ReactNode;
  icon?: IconName;
  /** 1 where it is the whole page. */
  level?: 1 | 2;
}

/** In place of a list that has nothing to show. */
export const EmptyState = ({ title, text, action, icon = 'empty', level = 2 }: EmptyStateProps) => (
  <div className="sl-empty">
    <Icon name={icon} size={40} />
    {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
    {text && <p>{text}</p>}
    {action}
  </div>
);
