import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Icon } from './Icon';
import { Modal } from './Modal';

export interface ConfirmOptions {
  /** The question: "Delete 12 machines?" */
  title: string;
  /** The consequence of confirming. */
  description: string;
  /** The verb: "Delete 12 machines". */
  button: string;
}

type Confirm = (question: ConfirmOptions) => Promise<boolean>;
const ConfirmContext = createContext<Confirm>(async () => false);

/**
 * Returns a function that asks for confirmation before work that is hard to undo. Resolves to `true` if confirmed,
 * `false` if the dialog was closed in any other way.
 */
export const useConfirm = (): Confirm => useContext(ConfirmContext);

/** Shows the confirmation dialogs of the pages inside, one at a time: another question dismisses the open one. */
export const ConfirmProvider = ({ children }: { children: ReactNode }) => {
  const [question, setQuestion] = useState<ConfirmOptions>();
  const resolveRef = useRef<(isConfirmed: boolean) => void>(undefined);
  const close = useCallback((isConfirmed: boolean) => {
    setQuestion(undefined);
    resolveRef.current?.(isConfirmed);
  }, []);
  const confirm = useCallback<Confirm>(
    (newQuestion) => {
      close(false);
      setQuestion(newQuestion);
      return new Promise((resolve) => {
        resolveRef.current = resolve;
      });
    },
    [close],
  );
  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      {question && <ConfirmDialog question={question} onAnswer={close} />}
    </ConfirmContext.Provider>
  );
};

const ConfirmDialog = ({ question, onAnswer }: { question: ConfirmOptions; onAnswer: (yes: boolean) => void }) => {
  const translate = useTranslate();
  return (
    <Modal
      role="alertdialog"
      title={question.title}
      icon={<Icon name="warning" size={32} className="sl-modal-warning" />}
      onClose={() => onAnswer(false)}
    >
      <p>{question.description}</p>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button" onClick={() => onAnswer(false)}>
          {translate('dialogs.close')}
        </button>
        <button type="button" className="sl-button sl-button-danger" onClick={() => onAnswer(true)}>
          {question.button}
        </button>
      </div>
    </Modal>
  );
};
