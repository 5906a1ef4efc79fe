import { useId } from 'react';
import { useTranslate } from 'react-admin';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { ServerField } from '../../pages/session/useServerForm';

interface KindsProps {
  legend: string;
  kinds: readonly string[];
  /** Text key prefix of the kinds. */
  texts: string;
  field: UseFormRegisterReturn;
}

/** Large buttons to choose a kind: for phones, with gloves on. */
export const Kinds = ({ legend, kinds, texts, field }: KindsProps) => {
  const translate = useTranslate();
  return (
    <fieldset className="sl-service-kinds">
      <legend>{legend}</legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input type="radio" value={kind} {...field} />
          <span>{translate(`${texts}.${kind}`)}</span>
        </label>
      ))}
    </fieldset>
  );
};

interface WordsProps {
  label: string;
  field: ServerField;
  maxLength?: number;
  isRequired?: boolean;
}

/** Free text of a few lines. */
export const Words = ({ label, field: { problem, ...field }, maxLength, isRequired }: WordsProps) => {
  const id = useId();
  return (
    <div className="sl-field" data-wrong={problem !== undefined}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="sl-input sl-textarea"
        rows={3}
        maxLength={maxLength}
        aria-required={isRequired}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        {...field}
      />
      <p className="sl-field-problem" id={`${id}-problem`}>
        {problem}
      </p>
    </div>
  );
};

interface SendingProps {
  /** Text keys of the button. */
  send: string;
  sending: string;
  busy: boolean;
  isReady?: boolean;
  onClose(): void;
}

/** Buttons to send or cancel. */
export const Sending = ({ send, sending, busy, isReady = true, onClose }: SendingProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-buttons">
      <button type="submit" className="sl-button sl-button-primary" disabled={busy || !isReady}>
        {translate(busy ? sending : send)}
      </button>
      <button type="button" className="sl-button" disabled={busy} onClick={onClose}>
        {translate('form.cancel')}
      </button>
    </div>
  );
};
