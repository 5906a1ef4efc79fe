import { type ReactNode, useId, useState } from 'react';

/** Shows `text` beside its content on hover and focus; Escape hides it. Reachable by keyboard. */
export const Tip = ({ text, children }: { text: string; children: ReactNode }) => {
  const id = useId();
  const [place, setPlace] = useState<{ left: number; top: number }>();
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    setPlace({ left, top: bottom + 4 });
  };
  const hide = () => setPlace(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only reveal what aria-describedby says anyway
    <span
      className="sl-tip"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what hover shows must be reachable by keyboard
      tabIndex={0}
      aria-describedby={place && id}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {children}
      {place && (
        <span role="tooltip" id={id} className="sl-tip-text" style={place}>
          {text}
        </span>
      )}
    </span>
  );
};
