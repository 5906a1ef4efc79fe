import { createContext, useContext, useEffect, useState } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { isLanguage } from '../../schema/shared/languages';
import { elapsedSince, formatDateTime, formatRelative } from '../i18n/format';
import { Tooltip } from './Tooltip';

/** Whether to show exact times, as on paper, where "3 minutes ago" would go stale. */
export const ExactTimes = createContext(false);

interface RelativeTimeProps {
  value: string | null | undefined;
  /** Whether what began then still lasts: "for 3 minutes" instead of "3 minutes ago". */
  isOngoing?: boolean;
}

/** Time elapsed since an instant (ISO 8601), kept current; shows the exact time on hover and focus, and on paper. */
export const RelativeTime = ({ value, isOngoing = false }: RelativeTimeProps) => {
  const translate = useTranslate();
  const locale = useLocale();
  const isExact = useContext(ExactTimes);
  useTick(!isExact && value !== null && value !== undefined);
  if (!value) return <span className="sl-none">{translate('record.empty')}</span>;
  if (isExact) return <time dateTime={value}>{formatDateTime(value)}</time>;
  const elapsed = elapsedSince(value);
  return (
    <Tooltip text={() => formatDateTime(value, { seconds: true })}>
      <time dateTime={value} data-exact={formatDateTime(value)}>
        <span className="sl-elapsed">
          {isOngoing
            ? translate(`lasting.${elapsed.unit}`, { smart_count: elapsed.count })
            : formatRelative(value, { language: isLanguage(locale) ? locale : 'en' })}
        </span>
      </time>
    </Tooltip>
  );
};

const tick = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Renders the component every 30 seconds, with one timer for the whole page. */
function useTick(active: boolean) {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (!active) return;
    const rerender = () => setCount((count) => count + 1);
    listeners.add(rerender);
    timer ??= setInterval(() => {
      for (const notify of listeners) notify();
    }, tick);
    return () => {
      listeners.delete(rerender);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [active]);
}
