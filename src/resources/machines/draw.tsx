/** How machines draw their own fields: a service that is late says so. */
import { useTranslate } from 'react-admin';
import { formatDate } from '../../i18n/format';
import { Icon } from '../../layout/Icon';
import type { Shown } from '../parts/shown';

export const machineFields = {
  next_service_due: ({ value }: Shown) => <DueDay day={String(value)} />,
};

/** The day of the next service, marked once it is past. */
export function DueDay({ day }: { day: string }) {
  const translate = useTranslate();
  const isLate = day < new Date().toISOString().slice(0, 10);
  return (
    <span className="sl-due" data-late={isLate}>
      <time dateTime={day}>{formatDate(day)}</time>
      {isLate && (
        <span className="sl-due__mark">
          <Icon name="warning" size={14} />
          {translate('service.overdue')}
        </span>
      )}
    </span>
  );
}
