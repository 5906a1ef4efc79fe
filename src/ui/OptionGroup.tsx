import type { ReactNode } from 'react';

/** A group of listbox options below a heading, styled by `className`. */
export const OptionGroup = (props: { title: string; className: string; children: ReactNode }) => (
  <li role="none">
    <div className={props.className} aria-hidden="true">
      {props.title}
    </div>
    {/* biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by this role */}
    <ul role="group" aria-label={props.title}>
      {props.children}
    </ul>
  </li>
);
