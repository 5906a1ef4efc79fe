import { useTranslate } from 'react-admin';
import { zoneKinds } from '../../../schema/entities/zones';
import type { ZoneDraft } from '../../map/plan/zoneDrafts';
import { FormField } from '../../ui/FormField';
import { FormSelect } from '../../ui/FormSelect';

interface Props {
  zone: ZoneDraft;
  onChange: (change: Partial<ZoneDraft>) => void;
}

/** Inputs for name, kind and cleaning interval of the selected zone. */
export function ZoneForm({ zone, onChange }: Props) {
  const translate = useTranslate();
  const { name, kind, every_days } = zone;
  const label = (field: 'name' | 'kind' | 'every_days') => translate(`resources.zones.fields.${field}`);
  return (
    <div className="sl-zone-form">
      <FormField
        label={label('name')}
        required
        maxLength={120}
        value={name}
        problem={name.trim() === '' ? translate('validation.required', { field: label('name') }) : undefined}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <FormSelect
        label={label('kind')}
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value as ZoneDraft['kind'] })}
      >
        {zoneKinds.map((value) => (
          <option key={value} value={value}>
            {translate(`resources.zones.choices.kind.${value}`)}
          </option>
        ))}
      </FormSelect>
      {kind === 'clean' && (
        <FormField
          label={label('every_days')}
          help={translate('resources.zones.help.every_days')}
          type="number"
          min={1}
          max={366}
          value={every_days ?? ''}
          onChange={({ target }) => onChange({ every_days: target.value === '' ? null : Number(target.value) })}
        />
      )}
    </div>
  );
}
