import '../../crud/record/record.css';
import './invitations.css';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import type { Field } from '../../../schema/dsl/field';
import type { InvitationOutcome } from '../../../schema/endpoints/people';
import { invitations } from '../../../schema/entities/invitations';
import { addressesOf } from '../../../schema/shared/addressesOf';
import { RowPicker } from '../../crud/fields/RowPicker';
import { findEntity } from '../../crud/shared/entities';
import { currentUser } from '../../providers/auth';
import { call } from '../../providers/call';
import { EmailAddress } from '../../ui/EmailAddress';
import { ProblemText } from '../../ui/ProblemText';

const inviteFields = ['role_id', 'client_id', 'language_id'] as const;
type InviteField = (typeof inviteFields)[number];

/** Invites all addresses of a pasted list and shows the result for each. */
export function InviteMany({ clientId }: { clientId?: number }) {
  const translate = useTranslate();
  const cache = useQueryClient();
  const field = useId();
  const [emails, setEmails] = useState('');
  const [sharedValues, setSharedValues] = useState<Partial<Record<InviteField, number>>>({
    client_id: clientId,
    language_id: currentUser()?.language.id,
  });
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const [outcomes, setOutcomes] = useState<InvitationOutcome[]>();
  const [isBusy, setBusy] = useState(false);
  const count = addressesOf(emails).length;
  const send = async () => {
    setBusy(true);
    setErrors({});
    try {
      const { data } = await call('POST /invitations/many', {
        body: { emails, ...(sharedValues as Record<InviteField, number>) },
      });
      setOutcomes(data);
      // Failed addresses stay in the input, to be corrected.
      setEmails(
        data
          .filter(({ result }) => result === 'refused')
          .map(({ email }) => email)
          .join('\n'),
      );
      await cache.invalidateQueries({ queryKey: ['invitations'] });
    } catch (error) {
      const fieldErrors =
        error instanceof HttpError ? (error.body as { errors?: Record<string, string[]> } | null)?.errors : undefined;
      setErrors(fieldErrors ?? { emails: [error instanceof Error ? error.message : String(error)] });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="sl-invite-many"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p className="sl-required-note">{translate('form.required_note')}</p>
      <LabelledField id={field} label={translate('invite.addresses')} required problem={errors.emails}>
        <textarea
          id={field}
          className="sl-input"
          rows={6}
          value={emails}
          aria-required
          aria-invalid={errors.emails !== undefined}
          aria-describedby={`${field}-help ${field}-problem`}
          onChange={({ target }) => setEmails(target.value)}
        />
        <p id={`${field}-help`} className="sl-field-help">
          {translate('invite.help')} {count > 0 && translate('invite.found', { smart_count: count })}
        </p>
      </LabelledField>
      {inviteFields.map((name) => (
        <Choice
          key={name}
          name={name}
          value={sharedValues[name]}
          problem={errors[name]}
          onChange={(id) => setSharedValues((current) => ({ ...current, [name]: id }))}
        />
      ))}
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy || count === 0}>
        {count === 0 ? translate('invite.send_none') : translate('invite.send', { smart_count: count })}
      </button>
      {outcomes && <Outcomes outcomes={outcomes} />}
    </form>
  );
}

const Choice = ({
  name,
  value,
  problem,
  onChange,
}: {
  name: InviteField;
  value: number | undefined;
  problem?: string[];
  onChange: (id: number | undefined) => void;
}) => {
  const translate = useTranslate();
  const id = useId();
  const field: Field = invitations.fields[name];
  const isRequired = field.required === true;
  const entity = findEntity(field.to);
  if (!entity) return null;
  return (
    <LabelledField
      id={id}
      label={translate(`resources.invitations.fields.${name}`)}
      required={isRequired}
      problem={problem}
    >
      <RowPicker
        id={id}
        entity={entity}
        value={value === undefined ? [] : [value]}
        required={isRequired}
        invalid={problem !== undefined}
        describedBy={`${id}-problem`}
        onChange={([next]) => onChange(next)}
      />
    </LabelledField>
  );
};

interface LabelledFieldProps {
  id: string;
  label: string;
  required?: boolean;
  problem?: string[];
  children: ReactNode;
}

const LabelledField = ({ id, label, required, problem, children }: LabelledFieldProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-filter-field">
      <label className="sl-form-field-label" htmlFor={id}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      <ProblemText id={`${id}-problem`}>{problem?.map((text) => translate(text, { _: text })).join(' ')}</ProblemText>
    </div>
  );
};

const Outcomes = ({ outcomes }: { outcomes: readonly InvitationOutcome[] }) => {
  const translate = useTranslate();
  return (
    <table className="sl-invite-outcomes" aria-live="polite">
      <caption>{translate('invite.result')}</caption>
      <tbody>
        {outcomes.map(({ email, result, message }) => (
          <tr key={email}>
            <th scope="row">
              <EmailAddress email={email} />
            </th>
            <td data-result={result}>{message ?? translate(`invite.${result}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
