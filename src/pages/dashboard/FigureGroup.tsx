import { type ReactNode, useId } from 'react';

/** Key figures below one heading. `wide` leaves room for units and longer notes. */
export const FigureGroup = ({
  title,
  wide = false,
  children,
}: {
  title: string;
  wide?: boolean;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="sl-figures-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="sl-figures" data-wide={wide}>
        {children}
      </ul>
    </section>
  );
};
