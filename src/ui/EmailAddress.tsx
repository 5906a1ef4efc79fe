import { Fragment } from 'react';

/** An e-mail address that wraps after @ or a dot rather than within a word. */
export const EmailAddress = ({ email }: { email: string }) => (
  <>
    {email.split(/(?<=[@.])/).map((fragment, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the fragments have no identity but their position
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {fragment}
      </Fragment>
    ))}
  </>
);
