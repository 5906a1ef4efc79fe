import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { alerts } from '../../../schema/entities/alerts';
import { RelativeTime } from '../../ui/RelativeTime';
import { daysUntil, dueText } from '../shared/dueText';

/**
 * When an alert opened. For a service that is due: how far its day is over or ahead, since the day on which the rule
 * found it says nothing about that.
 */
export const AlertTime = ({ alert: { metric, code, opened_at } }: { alert: Row<typeof alerts> }) => {
  const translate = useTranslate();
  return metric === 'service_due' && code ? (
    <>{dueText(daysUntil(code), translate)}</>
  ) : (
    <RelativeTime value={opened_at} />
  );
};
