import { useTranslate } from 'react-admin';
import type { Row } from '../../../schema/dsl/entity';
import type { alerts } from '../../../schema/entities/alerts';
import { RelativeTime } from '../../ui/RelativeTime';
import { daysUntil, dueText } from '../shared/dueText';

/** Time since an alert opened; for a service that is due, the days until or since its due date instead. */
export const AlertTime = ({ alert: { metric, code, opened_at } }: { alert: Row<typeof alerts> }) => {
  const translate = useTranslate();
  return metric === 'service_due' && code ? (
    <>{dueText(daysUntil(code), translate)}</>
  ) : (
    <RelativeTime value={opened_at} />
  );
};
