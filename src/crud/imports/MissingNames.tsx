import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { FieldValue } from './FieldValue';
import { type Import, useImportSteps } from './import';
import { fieldOf } from './importFields';

/** Maximum number of words to map one by one; more are better corrected in the file. */
const maxMapped = 20;

/** Names and words in the file without a match. The user can map them, or create rows that need nothing but a name. */
export const MissingNames = ({ job }: { job: Import }) => {
  const notify = useNotify();
  const { runStep } = useImportSteps(job.id);
  const [isSending, setSending] = useState(false);
  const fields = Object.entries(job.missing).filter(([name, words]) => words.length > 0 && fieldOf(job.resource, name));
  if (fields.length === 0) return null;
  const check = async (settings: Partial<Import['settings']>) => {
    setSending(true);
    try {
      await runStep('check', settings);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
      setSending(false);
    }
  };
  return (
    <>
      {fields.map(([name, words]) => (
        <MissingField
          key={name}
          job={job}
          name={name}
          words={words}
          isSending={isSending}
          onAdd={() => void check({ create_missing: [...(job.settings.create_missing ?? []), name] })}
          onCorrect={(corrections) =>
            void check({ words: { ...job.settings.words, [name]: { ...job.settings.words?.[name], ...corrections } } })
          }
        />
      ))}
    </>
  );
};

interface MissingFieldProps {
  job: Import;
  name: string;
  words: readonly string[];
  isSending: boolean;
  onAdd: () => void;
  onCorrect: (corrections: Record<string, string>) => void;
}

const MissingField = ({ job, name, words, isSending, onAdd, onCorrect }: MissingFieldProps) => {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const [corrections, setCorrections] = useState<Record<string, string>>({});
  const label = translate(`resources.${job.resource}.fields.${name}`);
  const field = fieldOf(job.resource, name);
  const isAdded = job.settings.create_missing?.includes(name);
  const choices = Object.fromEntries(Object.entries(corrections).filter(([, value]) => value !== ''));
  return (
    <div className="sl-import-missing">
      <p>
        <strong>{translate(isAdded ? 'imports.will_be_added' : 'imports.missing', { name: label })}</strong>{' '}
        {words.slice(0, 12).join(', ')}
        {words.length > 12 && ' …'}
      </p>
      {!isAdded && (
        <div className="sl-buttons">
          {job.creatable.includes(name) && (
            <button type="button" className="sl-button" disabled={isSending} onClick={onAdd}>
              {translate('imports.add_missing', { name: translate(`resources.${field?.to ?? job.resource}.plural`) })}
            </button>
          )}
          <button type="button" className="sl-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {translate('imports.explain')}
          </button>
        </div>
      )}
      {isOpen && field && (
        <div className="sl-import-words">
          {words.slice(0, maxMapped).map((word) => (
            <div key={word}>
              <span>{word}</span>
              <FieldValue
                resource={job.resource}
                name={name}
                field={field}
                label={translate('imports.means', { word, name: label })}
                value={corrections[word] ?? ''}
                onValue={(value) => setCorrections({ ...corrections, [word]: value })}
              />
            </div>
          ))}
          <button
            type="button"
            className="sl-button sl-button-primary"
            disabled={isSending || Object.keys(choices).length === 0}
            onClick={() => onCorrect(choices)}
          >
            {translate('imports.check')}
          </button>
        </div>
      )}
    </div>
  );
};
