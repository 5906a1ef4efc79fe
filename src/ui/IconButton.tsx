import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  icon: IconName;
  /** Accessible name, also shown on hover unless `title` differs. */
  label: string;
  /** Icon size in pixels. */
  size?: number;
}

/** A button with an icon instead of text. */
export const IconButton = ({ icon, label, size = 18, ...button }: IconButtonProps) => (
  <button type="button" className="sl-icon-button" aria-label={label} title={label} {...button}>
    <Icon name={icon} size={size} />
  </button>
);
