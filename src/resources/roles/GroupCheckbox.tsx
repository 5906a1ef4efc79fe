import { useEffect, useRef } from 'react';

interface Props {
  label: string;
  /** Number of checked options in the group. */
  checkedCount: number;
  count: number;
  disabled: boolean;
  onChange: () => void;
}

/** A checkbox for one or several options; indeterminate if only some are checked. */
export function GroupCheckbox({ label, checkedCount, count, disabled, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const isMixed = checkedCount > 0 && checkedCount < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      title={label}
      checked={count > 0 && checkedCount === count}
      disabled={disabled}
      onChange={onChange}
    />
  );
}
