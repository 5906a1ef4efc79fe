import { useTranslate } from 'react-admin';
import { IconButton } from '../ui/IconButton';
import { modes, useMode } from '../ui/mode';

/** Button that cycles through system, light and dark mode. */
export const ThemeToggle = () => {
  const translate = useTranslate();
  const { mode, setMode } = useMode();
  const label = `${translate('frame.appearance')}: ${translate(`frame.${mode}`)}`;
  const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'system';
  return <IconButton icon={mode} label={label} size={20} onClick={() => setMode(next)} />;
};
