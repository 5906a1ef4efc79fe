import { type ReactNode, useId } from 'react';

/** Key figures under one heading. */
export const FigureGroup = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section className="sl-figures-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="sl-figures">{children}</ul>
    </section>
  );
};
