import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';

/** Shows the text beside its content on hover and focus. Escape hides it; the keyboard can focus it. */
export const Tooltip = ({ text, children }: { text: () => string; children: ReactNode }) => {
  const id = useId();
  const [anchor, setAnchor] = useState<DOMRect>();
  const tip = useRef<HTMLSpanElement>(null);
  const show = ({ currentTarget }: { currentTarget: HTMLElement }) => setAnchor(currentTarget.getBoundingClientRect());
  const hide = () => setAnchor(undefined);
  useLayoutEffect(() => {
    if (anchor && tip.current)
      Object.assign(tip.current.style, placeBeside(anchor, tip.current.getBoundingClientRect()));
  }, [anchor]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus only reveal what aria-describedby says anyway
    <span
      className="sl-tip"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what hover shows must be reachable by keyboard
      tabIndex={0}
      aria-describedby={anchor && id}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {children}
      {anchor && (
        <span ref={tip} role="tooltip" id={id} className="sl-tip-text">
          {text()}
        </span>
      )}
    </span>
  );
};

/** Pixels between the tooltip and its content, and between the tooltip and the edges of the window. */
const gap = 4;
const edge = 8;

/** Position below the content, or above it if there is no room below; always inside the window. */
function placeBeside(anchor: DOMRect, { width, height }: DOMRect): { left: string; top: string } {
  const topBelow = anchor.bottom + gap;
  const left = Math.max(edge, Math.min(anchor.left, document.documentElement.clientWidth - edge - width));
  return {
    left: `${left}px`,
    top: `${topBelow + height + edge > window.innerHeight ? anchor.top - gap - height : topBelow}px`,
  };
}
