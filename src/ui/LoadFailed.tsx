import { useTranslate } from 'react-admin';
import { errorMessage } from '../providers/errorMessage';
import { isServerAway } from '../providers/http';
import { EmptyState } from './EmptyState';

interface LoadFailedProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
  /** Label of the button, if it does more than retry. */
  label?: string;
  /** Heading level: 1 if it fills the whole page. */
  level?: 1 | 2;
}

/** Shown in place of content that failed to load: the error and a retry button. */
export const LoadFailed = ({ title, error, onRetry, label, level }: LoadFailedProps) => {
  const translate = useTranslate();
  return (
    <EmptyState
      icon="warning"
      level={level}
      title={title}
      text={error ? textOf(error, translate) : undefined}
      action={
        <button type="button" className="sl-button" onClick={onRetry}>
          {label ?? translate('list.retry')}
        </button>
      }
    />
  );
};

/** The error's message and, if the server is unreachable, that the page continues by itself (`resumeQueries`). */
const textOf = (error: Error, translate: (key: string) => string): string =>
  [errorMessage(error, translate), isServerAway(error) ? translate('errors.resumes') : ''].filter(Boolean).join(' ');
