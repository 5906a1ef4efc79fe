import type { Interruption } from '../../../schema/dsl/shapes';
import type { Language } from '../../../schema/shared/languages';
import { formatDateTime, formatSpan } from '../../i18n/format';
import { interruptionReason } from './interruptionReason';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** Prints when and why a run was interrupted, and how long the interruption lasted. */
export function formatInterruption(
  { at, reason, resolved_at: until }: Interruption,
  { language, translate }: { language: Language; translate: Translate },
): string {
  const seconds = until === null ? 0 : (Date.parse(until) - Date.parse(at)) / 1000;
  const rounded = seconds < 120 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
  return [
    formatDateTime(at),
    interruptionReason(reason, translate),
    until === null ? translate('plan.not_helped') : translate('plan.helped', { time: formatSpan(rounded, language) }),
  ].join(' · ');
}
