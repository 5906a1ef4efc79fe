import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';

interface EmptyStateProps {
  title: string;
  /** What belongs here, or why nothing is shown. */
  text?: string;
  /** The first step. */
  action?: ReactNode;
  icon?: IconName;
}

/** In place of a list that has nothing to show. */
export const EmptyState = ({ title, text, action, icon = 'empty' }: EmptyStateProps) => (
  <div className="sl-empty">
    <Icon name={icon} size={40} />
    <h2>{title}</h2>
    {text && <p>{text}</p>}
    {action}
  </div>
);
