import { useTranslate } from 'react-admin';

interface Props {
  mode: 'choose' | 'draw' | 'split';
  hasSelection: boolean;
  canFinish: boolean;
  canUndo: boolean;
  canSave: boolean;
  isDirty: boolean;
  onDraw: () => void;
  onCorner: () => void;
  onFinish: () => void;
  onSplit: () => void;
  onCancel: () => void;
  onDelete: () => void;
  onUndo: () => void;
  onReset: () => void;
  onSave: () => void;
}

/** Toolbar above the plan while its zones are edited. */
export function ZoneTools(props: Props) {
  const { mode, hasSelection, canFinish, canUndo, canSave, isDirty } = props;
  const translate = useTranslate();
  const button = (name: string, onClick: () => void, isDisabled = false, className = '') => (
    <button type="button" className={`sl-button ${className}`} disabled={isDisabled} onClick={onClick}>
      {translate(`floors.${name}`)}
    </button>
  );
  return (
    <div className="sl-floor-tools" role="toolbar" aria-label={translate('floors.tools')}>
      {mode === 'choose' && (
        <>
          {button('draw', props.onDraw)}
          {button('split', props.onSplit, !hasSelection)}
          {button('delete_zone', props.onDelete, !hasSelection)}
        </>
      )}
      {mode === 'draw' && (
        <>
          {button('add_corner', props.onCorner)}
          {button('finish', props.onFinish, !canFinish, 'sl-button-primary')}
        </>
      )}
      {mode === 'split' && button('split_here', props.onSplit, false, 'sl-button-primary')}
      {mode !== 'choose' && button('cancel', props.onCancel)}
      {button('undo', props.onUndo, !canUndo)}
      {mode === 'choose' && isDirty && (
        <>
          {button('discard', props.onReset)}
          {button('save_zones', props.onSave, !canSave, 'sl-button-primary')}
        </>
      )}
    </div>
  );
}
