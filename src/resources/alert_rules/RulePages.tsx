import type { RaRecord } from 'ra-core';
import { useRecordFromLocation } from 'ra-core';
import { alertRules } from '../../../schema/entities/alert_rules';
import { InputOverrides } from '../../crud/fields/inputProps';
import { CreatePage } from '../../crud/record/CreatePage';
import { EditPage } from '../../crud/record/EditPage';
import type { GroupOverride } from '../../crud/record/EntityForm';
import { RecordPage } from '../../crud/record/RecordPage';
import { pathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { NewKey } from './NewKey';
import { RuleCondition } from './RuleCondition';
import { quietHourInputs } from './TimeInput';

const condition: GroupOverride = {
  group: 'condition',
  fields: ['metric', 'state', 'threshold', 'error_code', 'hold_time'],
  element: <RuleCondition />,
};
const defaults = { hold_time: 1800 };

/** The create form for a rule. Presets the client from whose page it was opened, and returns there. */
export function CreateRule() {
  const client = useRecordFromLocation()?.client_id as number | undefined;
  const listPath = client === undefined ? undefined : `${pathOf('clients', client)}/alert_rules`;
  return (
    <InputOverrides value={quietHourInputs}>
      <CreatePage entity={alertRules} groupOverride={condition} defaults={defaults} back={listPath} />
    </InputOverrides>
  );
}

export const EditRule = () => (
  <InputOverrides value={quietHourInputs}>
    <EditPage entity={alertRules} groupOverride={condition} />
  </InputOverrides>
);

/** The page of a rule, where the key of its webhook can be replaced. */
export const RulePage = () => (
  <RecordPage
    entity={alertRules}
    actions={(rule: RaRecord) =>
      rule.webhook_url && can('alert_rules', 'edit') ? <NewKey rule={rule as RaRecord & { id: number }} /> : null
    }
  />
);
