import type { InboxItem } from '../../../schema/endpoints/inbox';
import { RelativeTime } from '../../ui/RelativeTime';
import { WholeWords } from '../../ui/WholeWords';
import { isLasting } from './describeInboxItem';

interface InboxDetailsProps {
  item: Pick<InboxItem, 'kind' | 'since'>;
  details: readonly string[];
}

/** Time of the earliest finding, if it has one, and the explanations of an inbox item, in one line. */
export const InboxDetails = ({ item, details }: InboxDetailsProps) => (
  <>
    {item.since && <RelativeTime value={item.since} lasts={isLasting(item)} />}
    {item.since && details.length > 0 && ' · '}
    <WholeWords text={details.join(' · ')} />
  </>
);
