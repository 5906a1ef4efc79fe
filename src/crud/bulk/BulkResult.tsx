import { useTranslate } from 'ra-core';
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import './bulk.css';

interface BulkResultProps {
  text: string;
  note?: string | undefined;
  /** Absent if there is no undo. */
  onUndo?: () => void;
  onClose: () => void;
}

/** Milliseconds before the result closes: long enough to decide on an undo. */
const closeDelay = 15_000;

/** Result of bulk work with its undo, shown in place of the bulk bar. Stays open while hovered or focused. */
export const BulkResult = ({ text, note, onUndo, onClose }: BulkResultProps) => {
  const translate = useTranslate();
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(onClose, closeDelay);
    return () => clearTimeout(timer);
  }, [isPaused, onClose]);
  return (
    <section
      className="sl-bulk sl-bulk-result"
      aria-label={translate('many.result')}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon name="success" size={18} />
      <p role="status">
        <strong>{text}</strong>
        {note && <small>{note}</small>}
      </p>
      {onUndo && (
        <button type="button" className="sl-button" onClick={onUndo}>
          <Icon name="restore" size={16} />
          {translate('many.undo')}
        </button>
      )}
      <IconButton icon="close" label={translate('many.close')} onClick={onClose} />
    </section>
  );
};
