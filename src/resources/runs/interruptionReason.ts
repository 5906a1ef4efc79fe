import { stateNames } from '../../../schema/entities/machines';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** Terms of VDA 5050 (safety state, `paused`, operating mode) and their text keys. */
const reasonKeys = {
  'eStop AUTOACK': 'stopped_automatically',
  'eStop AUTO_ACK': 'stopped_automatically',
  'eStop MANUAL': 'stopped_by_hand',
  'eStop REMOTE': 'stopped_remotely',
  fieldViolation: 'obstacle',
  paused: 'paused',
  MANUAL: 'driven_by_hand',
  INTERVENED: 'driven_by_hand',
  SERVICE: 'service',
  TEACHIN: 'teach_in',
  TEACH_IN: 'teach_in',
  STARTUP: 'startup',
} as const satisfies Record<string, string>;

const isState = (word: string): boolean => (stateNames as readonly string[]).includes(word);

/**
 * Why a run was interrupted, in the user's language. Translates terms of VDA 5050 and names of states; texts by people
 * or other makers stay unchanged.
 */
export function interruptionReason(reason: string | null, translate: Translate): string {
  if (reason === null) return translate('plan.no_reason');
  if (Object.hasOwn(reasonKeys, reason))
    return translate(`plan.reasons.${reasonKeys[reason as keyof typeof reasonKeys]}`);
  const words = reason.split(', ');
  if (!words.every(isState)) return reason;
  return words.map((state) => translate(`resources.machines.choices.status.${state}`)).join(', ');
}
