import type { useTranslate } from 'ra-core';
import type { HoursSpan } from '../../../schema/dsl/hours';

/** Prints "08:00–12:00, 13:00–18:00", "Closed" or "Open all day". */
export function formatOpenSpans(spans: readonly HoursSpan[], translate: ReturnType<typeof useTranslate>): string {
  if (spans.length === 0) return translate('hours.closed');
  const spanList = spans.map(({ from, to }) => `${from}–${to}`).join(', ');
  return spanList === '00:00–24:00' ? translate('hours.all_day') : spanList;
}
