import { type ReactNode, useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { documentProblem, serviceFileExtensions } from '../../crud/shared/documentRules';
import { ProblemText } from '../../ui/ProblemText';

/** File extensions and media types. Phones offer their camera only for media types. */
const acceptedTypes = [...serviceFileExtensions.map((extension) => `.${extension}`), 'image/jpeg', 'image/png'].join(
  ',',
);

interface ServiceFileInputProps {
  /** Content of the button once a file is chosen. */
  content?: ReactNode;
  /** Problem reported by the server. */
  problem?: string;
  disabled?: boolean;
  /** Called with the chosen file, or `undefined` if it is invalid. */
  onChoose: (file: File | undefined) => void;
}

/** Input for the photo or document of a service entry. */
export function ServiceFileInput({ content, problem, disabled, onChoose }: ServiceFileInputProps) {
  const translate = useTranslate();
  const id = useId();
  const [invalidFile, setInvalidFile] = useState<string>();
  const choose = (file: File | undefined) => {
    const fileProblem = file && documentProblem(file, serviceFileExtensions);
    setInvalidFile(fileProblem && translate(`validation.${fileProblem}`, { field: translate('service.file') }));
    onChoose(fileProblem ? undefined : file);
  };
  const message = invalidFile ?? problem;
  return (
    <div className="sl-field" data-wrong={message !== undefined}>
      <span id={`${id}-file`} className="sl-paper-label">
        {translate('service.file')}
      </span>
      <label className="sl-button sl-paper">
        <input
          type="file"
          className="sl-hidden"
          disabled={disabled}
          aria-labelledby={`${id}-file`}
          aria-describedby={`${id}-rules`}
          accept={acceptedTypes}
          onClick={({ currentTarget }) => {
            // Otherwise the browser would not report that the same file is chosen again.
            currentTarget.value = '';
          }}
          onChange={({ target }) => choose(target.files?.[0])}
        />
        {content ?? translate('service.choose_file')}
      </label>
      <p className="sl-field-help" id={`${id}-rules`}>
        {translate('service.file_rules')}
      </p>
      <ProblemText>{message}</ProblemText>
    </div>
  );
}
