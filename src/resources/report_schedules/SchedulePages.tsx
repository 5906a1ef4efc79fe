import type { FieldValues } from 'react-hook-form';
import { reportSchedules } from '../../../schema/entities/report_schedules';
import { useOwnClient } from '../../crud/fields/useOwnClient';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { RecordPage } from '../../crud/record/RecordPage';

/** Each rhythm has its own day, and a list is what its view says. */
const idle = ({ report, rhythm }: FieldValues): readonly string[] => [
  rhythm === 'weekly' ? 'day_of_month' : 'weekday',
  ...(report === 'list' ? ['fleet_id', 'location_id', 'is_detailed'] : []),
];

/** A list is one of a view, and somebody must get it. */
const needed = ({ report, user_ids, emails }: FieldValues): readonly string[] => [
  ...(report === 'list' ? ['view_id'] : []),
  ...([user_ids, emails].every((some) => !some || some.length === 0) ? ['user_ids'] : []),
];

/** Who reaches one client alone is not asked for it. */
export const CreateSchedule = () => {
  const { isPending, values } = useOwnClient();
  return isPending ? null : <CreatePage entity={reportSchedules} defaults={values} idle={idle} needed={needed} />;
};
export const EditSchedule = () => <EditPage entity={reportSchedules} idle={idle} needed={needed} />;
export const SchedulePage = () => <RecordPage entity={reportSchedules} idle={idle} />;
