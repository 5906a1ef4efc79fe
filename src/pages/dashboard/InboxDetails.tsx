import type { InboxItem } from '../../../schema/endpoints/inbox';
import { RelativeTime } from '../../ui/RelativeTime';
import { WholeWords } from '../../ui/WholeWords';
import { isLasting } from './describeInboxItem';

interface InboxDetailsProps {
  item: Pick<InboxItem, 'kind' | 'cause' | 'since'>;
  details: readonly string[];
}

/** The space before the dot does not break, so that no line begins with the dot. */
const separator = '\u00a0· ';

/** Time of the earliest finding, if it has one, and the explanations of an inbox item, in one line. */
export const InboxDetails = ({ item, details }: InboxDetailsProps) => {
  // The details of a due service say how overdue it is. When a rule found it does not matter.
  const since = item.cause === 'service_due' ? null : item.since;
  return (
    <>
      {since && <RelativeTime value={since} isOngoing={isLasting(item)} />}
      {since && details.length > 0 && separator}
      <WholeWords text={details.join(separator)} />
    </>
  );
};
