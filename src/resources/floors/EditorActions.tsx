import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  /** Why saving failed. */
  problem: string | undefined;
  saveLabel: string;
  canSave: boolean;
  onSave: () => void;
  onCancel: () => void;
  /** Further buttons, shown before Cancel and Save. */
  children: ReactNode;
}

/** Footer of an editor on a plan: error message, further buttons, Cancel and Save. */
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
