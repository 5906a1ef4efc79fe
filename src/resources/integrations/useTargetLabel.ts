import { useTranslate } from 'react-admin';
import type { MappingTarget } from './editMapping';

/** Returns a function that names a target, such as "Cleaned area". */
export function useTargetLabel(): (target: MappingTarget) => string {
  const translate = useTranslate();
  return ({ kind, part, field }) => {
    if (part !== 'field') return translate(`integrations.${part}`);
    return translate(kind === 'runs' ? `resources.runs.fields.${field}` : `integrations.states.${field}`);
  };
}

/** Returns a function that names a section, such as "Run" or "State of the machine". */
export function useKindLabel(): (kind: MappingTarget['kind']) => string {
  const translate = useTranslate();
  return (kind) =>
    kind === 'runs' ? translate('resources.runs.name', { smart_count: 1 }) : translate('integrations.kind_states');
}
