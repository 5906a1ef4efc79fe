import '../../crud/fields/fields.css';
import { useId } from 'react';
import { useTranslate } from 'react-admin';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { ServerField } from '../../ui/useServerForm';

interface KindInputProps {
  legend: string;
  kinds: readonly string[];
  /** Prefix of the text keys of the kinds. */
  texts: string;
  field: UseFormRegisterReturn;
  isRequired?: boolean;
}

/** Large buttons for choosing a kind, for phones and gloves. */
export const KindInput = ({ legend, kinds, texts, field, isRequired }: KindInputProps) => {
  const translate = useTranslate();
  return (
    <fieldset className="sl-service-kinds">
      <legend>
        {legend}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input type="radio" value={kind} {...field} />
          <span>{translate(`${texts}.${kind}`)}</span>
        </label>
      ))}
    </fieldset>
  );
};

interface FreeTextInputProps {
  label: string;
  field: ServerField;
  maxLength?: number;
  isRequired?: boolean;
}

/** Input for a few lines of text. */
export const FreeTextInput = ({ label, field: { problem, ...field }, maxLength, isRequired }: FreeTextInputProps) => {
  const id = useId();
  return (
    <div className="sl-field" data-wrong={problem !== undefined}>
      <label htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
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

interface SubmitButtonsProps {
  /** Text keys of the button: idle, and while sending. */
  send: string;
  sending: string;
  isBusy: boolean;
  isReady?: boolean;
  /** Absent if there is nothing to cancel. */
  onClose?: (() => void) | undefined;
}

/** Buttons to send or cancel. */
export const SubmitButtons = ({ send, sending, isBusy, isReady = true, onClose }: SubmitButtonsProps) => {
  const translate = useTranslate();
  return (
    <div className="sl-buttons">
      <button type="submit" className="sl-button sl-button-primary" disabled={isBusy || !isReady}>
        {translate(isBusy ? sending : send)}
      </button>
      {onClose && (
        <button type="button" className="sl-button" disabled={isBusy} onClick={onClose}>
          {translate('form.cancel')}
        </button>
      )}
    </div>
  );
};
