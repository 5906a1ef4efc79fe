import { type ReactNode, useId } from 'react';

/** A titled card. `wide` spans the row. */
export const Card = ({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) => {
  const id = useId();
  return (
    <section className="sl-card" data-wide={wide} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};
