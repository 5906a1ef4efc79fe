/** Forms of service entries and plans. They are opened from a machine's page and return there. */
import type { RaRecord } from 'ra-core';
import { useRecordFromLocation } from 'ra-core';
import { serviceEntries } from '../../../schema/entities/service_entries';
import { servicePlans } from '../../../schema/entities/service_plans';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import { pathOf } from '../../crud/shared/paths';

const targetFields = ['machine_id', 'type_id'] as const;
/** Path of a machine's service tab. */
const machinePath = (id: unknown) => `${pathOf('machines', id as number)}/service`;

/**
 * The create form for a plan. Presets the machine from whose page it was opened; otherwise the user chooses a machine
 * or type.
 */
export const CreatePlan = () => {
  const fromAddress = useRecordFromLocation();
  const returnPath = fromAddress?.machine_id ? machinePath(fromAddress.machine_id) : undefined;
  return (
    <CreatePage
      entity={servicePlans}
      omittedFields={returnPath ? typeOnly : undefined}
      back={returnPath}
      onCreated={(row) => returnPath ?? pathOfPlan(row)}
    />
  );
};

const typeOnly = ['type_id'] as const;
const pathOfPlan = ({ id, machine_id }: RaRecord) =>
  machine_id ? machinePath(machine_id) : pathOf('service_plans', id);

export const EditPlan = () => <EditPage entity={servicePlans} omittedFields={targetFields} />;

export const EditEntry = () => <EditPage entity={serviceEntries} omittedFields={targetFields} />;
