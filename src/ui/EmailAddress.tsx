import { Fragment } from 'react';

/** An e-mail address that wraps after @ or a dot rather than within a word. */
export const EmailAddress = ({ email }: { email: string }) => (
  <>
    {email.split(/(?<=[@.])/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address have no other order
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);
