/** Renderers of machine fields: overdue services are marked, and offline limits are exact. */
import { useTranslate } from 'react-admin';
import type { DisplayProps } from '../../crud/fields/renderers';
import { formatDate, formatExactDuration, formatSpan } from '../../i18n/format';
import { serverDay } from '../../i18n/serverClock';
import { Icon } from '../../ui/Icon';
import { type MachineRow, offlineAfterOf } from './machineRow';

/** An offline limit. Cells show it in hours like other durations, since the column heading contains that unit. */
const Limit = ({ value, cell, language }: DisplayProps) => (
  <span className="sl-numeral">
    {cell ? formatExactDuration(Number(value), language) : formatSpan(Number(value), language)}
  </span>
);

export const typeRenderers = { offline_after: Limit };

export const emptyMachineRenderers = {
  offline_after: ({ record, language }: Pick<DisplayProps, 'record' | 'language'>) => {
    const limit = offlineAfterOf(record as MachineRow);
    return limit === null ? null : <FromType span={formatSpan(limit, language)} />;
  },
};

function FromType({ span }: { span: string }) {
  const translate = useTranslate();
  return <span className="sl-numeral">{translate('machine.from_type', { span })}</span>;
}

export const machineRenderers = {
  ...typeRenderers,
  next_service_due: ({ value }: DisplayProps) => <DueDay day={String(value)} />,
};

/** Due date of the next service, marked if it is in the past. */
export function DueDay({ day }: { day: string }) {
  const translate = useTranslate();
  const isLate = day < serverDay();
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
