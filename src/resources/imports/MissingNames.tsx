import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { registry } from '../../../schema/index';
import { type Import, useSteps } from './import';

/** Names that nothing is called by, with the offer to add those that need nothing but their name. */
export const MissingNames = ({ one }: { one: Import }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const { steer } = useSteps(one.id);
  const [isSending, setSending] = useState(false);
  const fields = Object.entries(one.missing).filter(([, names]) => names.length > 0);
  if (fields.length === 0) return null;
  const add = async (field: string) => {
    setSending(true);
    try {
      await steer('check', { create_missing: [...(one.settings.create_missing ?? []), field] });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
      setSending(false);
    }
  };
  return (
    <>
      {fields.map(([field, names]) => {
        const label = translate(`resources.${one.resource}.fields.${field}`);
        const to = registry[one.resource as keyof typeof registry].fields[field as never] as { to?: string } | undefined;
        const isAdded = one.settings.create_missing?.includes(field);
        return (
          <div className="sl-import-missing" key={field}>
            <p>
              <strong>{translate(isAdded ? 'imports.will_be_added' : 'imports.missing', { name: label })}</strong> {names.slice(0, 12).join(', ')}
              {names.length > 12 && ' …'}
            </p>
            {!isAdded && one.creatable.includes(field) && (
              <button type="button" className="sl-button" disabled={isSending} onClick={() => void add(field)}>
                {translate('imports.add_missing', { name: translate(`resources.${to?.to ?? one.resource}.plural`) })}
              </button>
            )}
          </div>
        );
      })}
    </>
  );
};
