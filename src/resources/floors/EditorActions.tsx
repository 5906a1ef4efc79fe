import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  /** Why it could not be saved. */
  problem: string | undefined;
  saveLabel: string;
  canSave: boolean;
  onSave: () => void;
  onCancel: () => void;
  /** Other buttons, before those that end the editor. */
  children: ReactNode;
}

/** The end of an editor of a plan: its problem, its buttons, Cancel and Save. */
export function EditorActions({ problem, saveLabel, canSave, onSave, onCancel, children }: Props) {
  const translate = useTranslate();
  return (
    <>
      {problem && (
        <p className="sl-field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="sl-floor-tools">
        {children}
        <button type="button" className="sl-button" onClick={onCancel}>
          {translate('floors.cancel')}
        </button>
        <button type="button" className="sl-button sl-button-primary" disabled={!canSave} onClick={onSave}>
          {saveLabel}
        </button>
      </div>
    </>
  );
}
