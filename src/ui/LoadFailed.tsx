import { useTranslate } from 'react-admin';
import { errorMessage } from '../providers/errorMessage';
import { EmptyState } from './EmptyState';

interface LoadFailedProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
  /** Of the button, where it does more than ask again. */
  label?: string;
  /** 1 where it is the whole page. */
  level?: 1 | 2;
}

/** In place of what could not be loaded: what happened, and another try. */
export const LoadFailed = ({ title, error, onRetry, label, level }: LoadFailedProps) => {
  const translate = useTranslate();
  return (
    <EmptyState
      icon="warning"
      level={level}
      title={title}
      text={error ? errorMessage(error, translate) : undefined}
      action={
        <button type="button" className="sl-button" onClick={onRetry}>
          {label ?? translate('list.retry')}
        </button>
      }
    />
  );
};
