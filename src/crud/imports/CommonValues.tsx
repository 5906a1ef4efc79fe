import { useId } from 'react';
import { useTranslate } from 'react-admin';
import { IconButton } from '../../ui/IconButton';
import { FieldValue } from './FieldValue';
import type { Import } from './import';
import { fieldOf, missingRequiredFields, unfilledFields } from './importFields';

interface CommonValuesProps {
  job: Import;
  /** Target field of each column. */
  mapping: readonly (string | null)[];
  fixed: Readonly<Record<string, string>>;
  onFixed: (fixed: Record<string, string>) => void;
}

/** Values that apply to all rows for fields that the file lacks: the fleet of new machines, the role of new users. */
export const CommonValues = ({ job, mapping, fixed, onFixed }: CommonValuesProps) => {
  const translate = useTranslate();
  const id = useId();
  const neededNames = missingRequiredFields(job, mapping);
  const unfilledNames = unfilledFields(job, mapping).filter((name) => fieldOf(job.resource, name));
  // A field with unique values cannot have one for all rows.
  const [sharableNames, uniqueNames] = [false, true].map((unique) =>
    unfilledNames.filter((name) => (fieldOf(job.resource, name)?.unique ?? false) === unique),
  ) as [string[], string[]];
  const missingUniqueNames = uniqueNames.filter((name) => neededNames.includes(name));
  const visibleNames = sharableNames.filter((name) => neededNames.includes(name) || Object.hasOwn(fixed, name));
  const addableNames = sharableNames.filter((name) => !visibleNames.includes(name));
  const labelOf = (name: string) => translate(`resources.${job.resource}.fields.${name}`);
  if (sharableNames.length === 0 && missingUniqueNames.length === 0) return null;
  return (
    <section className="sl-import-note">
      <h2>{translate('imports.fixed_title')}</h2>
      <p>{translate('imports.fixed_text')}</p>
      {missingUniqueNames.length + visibleNames.length > 0 && (
        <ul className="sl-import-columns">
          {missingUniqueNames.map((name) => (
            <li key={name}>
              <div>
                <strong>{labelOf(name)}</strong>
                <p className="sl-field-problem">{translate('imports.fixed_needed')}</p>
              </div>
            </li>
          ))}
          {visibleNames.map((name) => (
            <li key={name}>
              <div>
                <label htmlFor={`${id}-${name}`}>{labelOf(name)}</label>
                {neededNames.includes(name) && <p className="sl-field-help">{translate('imports.fixed_needed')}</p>}
              </div>
              <div className="sl-import-fixed">
                <FieldValue
                  id={`${id}-${name}`}
                  resource={job.resource}
                  name={name}
                  field={fieldOf(job.resource, name) as never}
                  label={labelOf(name)}
                  value={fixed[name] ?? ''}
                  onValue={(value) => onFixed({ ...fixed, [name]: value })}
                />
                {!neededNames.includes(name) && (
                  <IconButton
                    icon="close"
                    label={translate('imports.fixed_remove', { name: labelOf(name) })}
                    size={16}
                    onClick={() =>
                      onFixed(Object.fromEntries(Object.entries(fixed).filter(([other]) => other !== name)))
                    }
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {addableNames.length > 0 && (
        <select
          className="sl-select"
          aria-label={translate('imports.fixed_add')}
          value=""
          onChange={({ target }) => onFixed({ ...fixed, [target.value]: '' })}
        >
          <option value="">{translate('imports.fixed_add')}</option>
          {addableNames.map((name) => (
            <option key={name} value={name}>
              {labelOf(name)}
            </option>
          ))}
        </select>
      )}
    </section>
  );
};
