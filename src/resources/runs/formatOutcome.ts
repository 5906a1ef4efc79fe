import type { Interruption } from '../../../schema/dsl/shapes';
import type { Language } from '../../../schema/shared/languages';
import { formatClockTime } from '../../charts/segments';
import { formatNumber } from '../../i18n/format';
import { interruptionReason } from './interruptionReason';
import type { RunRow } from './runRow';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/**
 * Prints one line about the end of a run: the cleaned share, or the outcome if the share is unknown, then the time and
 * reason of an interruption that was not resolved.
 */
export function formatOutcome(
  { coverage, outcome, interruptions }: RunRow,
  { language, translate }: { language: Language; translate: Translate },
): string {
  const share =
    coverage === null
      ? outcome && translate(`resources.runs.choices.outcome.${outcome}`)
      : translate('plan.cleaned', { percent: formatNumber(Math.round(coverage * 100), { language }) });
  const last = ((interruptions as Interruption[] | null) ?? []).at(-1);
  if (!last || last.resolved_at !== null || outcome === 'completed') return share ?? '';
  const stop = translate('plan.stopped', {
    time: formatClockTime(Date.parse(last.at)),
    reason: interruptionReason(last.reason, translate),
  });
  return [share, stop].filter(Boolean).join(': ');
}
