import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';

interface EmptyStateProps {
  title: string;
  /** Explains what will appear here, or why it is empty. */
  text?: string;
  /** The suggested first step. */
  action?: ReactNode;
  icon?: IconName;
  /** Heading level: 1 if it fills the whole page. */
  level?: 1 | 2;
}

/** Shown in place of an empty list. */
export const EmptyState = ({ title, text, action, icon = 'empty', level = 2 }: EmptyStateProps) => (
  <div className="sl-empty">
    <Icon name={icon} size={40} />
    {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
    {text && <p>{text}</p>}
    {action}
  </div>
);
