import type { FieldValues } from 'react-hook-form';
import { reportSchedules } from '../../../schema/entities/report_schedules';
import { useOwnClient } from '../../crud/fields/useOwnClient';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { RecordPage } from '../../crud/record/RecordPage';

/** Fields that do not apply: the day of the other rhythm and, for a list, what its view determines. */
const hiddenFields = ({ report, rhythm }: FieldValues): readonly string[] => [
  rhythm === 'weekly' ? 'day_of_month' : 'weekday',
  ...(report === 'list' ? ['fleet_id', 'location_id', 'is_detailed'] : []),
];

/** Required fields: a view for a list, and at least one recipient. */
const requiredFields = ({ report, user_ids, emails }: FieldValues): readonly string[] => [
  ...(report === 'list' ? ['view_id'] : []),
  ...([user_ids, emails].every((recipients) => !recipients || recipients.length === 0) ? ['user_ids'] : []),
];

/** The create form for a schedule. Presets the client if only one is in the user's scope. */
export const CreateSchedule = () => {
  const { isPending, values } = useOwnClient();
  return isPending ? null : (
    <CreatePage
      entity={reportSchedules}
      defaults={values}
      hiddenFields={hiddenFields}
      requiredFields={requiredFields}
    />
  );
};
export const EditSchedule = () => (
  <EditPage entity={reportSchedules} hiddenFields={hiddenFields} requiredFields={requiredFields} />
);
export const SchedulePage = () => <RecordPage entity={reportSchedules} hiddenFields={hiddenFields} />;
