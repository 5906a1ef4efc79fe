import { useEffect, useRef } from 'react';

interface Props {
  label: string;
  /** Number of checked members. */
  on: number;
  of: number;
  disabled: boolean;
  onChange: (on: boolean) => void;
}

/** A checkbox for one or several members; indeterminate while only some are checked. */
export function CheckGroup({ label, on, of, disabled, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const isMixed = on > 0 && on < of;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      title={label}
      checked={of > 0 && on === of}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
