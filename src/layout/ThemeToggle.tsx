import { useTranslate } from 'react-admin';
import { Icon } from '../ui/Icon';
import { modes, useMode } from '../ui/mode';

/** Cycles through system, light, dark. */
export const ThemeToggle = () => {
  const translate = useTranslate();
  const { mode, setMode } = useMode();
  const label = `${translate('frame.appearance')}: ${translate(`frame.${mode}`)}`;
  const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'system';
  return (
    <button type="button" className="sl-icon-button" onClick={() => setMode(next)} aria-label={label} title={label}>
      <Icon name={mode} />
    </button>
  );
};
