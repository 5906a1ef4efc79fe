/** Renderers of alert fields: severity and state as marks with words. */
import { useTranslate } from 'react-admin';
import type { DisplayProps } from '../../crud/fields/renderers';
import { Icon, type IconName } from '../../ui/Icon';
import './alerts.css';

const severities: Record<string, IconName> = { info: 'information', warning: 'warning', critical: 'error' };
const states: Record<string, IconName> = { open: 'bell', acknowledged: 'check', closed: 'success' };

export const SeverityMark = ({ severity }: { severity: string }) => {
  const translate = useTranslate();
  return (
    <span className="sl-alert-mark" data-severity={severity}>
      <Icon name={severities[severity] ?? 'warning'} size={16} />
      {translate(`resources.alerts.choices.severity.${severity}`)}
    </span>
  );
};

export const AlertStateMark = ({ state }: { state: string }) => {
  const translate = useTranslate();
  return (
    <span className="sl-alert-mark" data-state={state}>
      <Icon name={states[state] ?? 'bell'} size={16} />
      {translate(`resources.alerts.choices.state.${state}`)}
    </span>
  );
};

export const alertRenderers = {
  severity: ({ value }: DisplayProps) => <SeverityMark severity={String(value)} />,
  state: ({ value }: DisplayProps) => <AlertStateMark state={String(value)} />,
};
