import type { ReactNode } from 'react';

/** The problem of an input or a dialog, announced when it appears. */
export const ProblemText = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p className="sl-field-problem" id={id} role="alert">
    {children}
  </p>
);
