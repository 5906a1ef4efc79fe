import { useTranslate } from 'react-admin';
import { EmptyState } from './EmptyState';

interface LoadFailedProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
}

/** In place of what could not be loaded: what happened, and another try. */
export const LoadFailed = ({ title, error, onRetry }: LoadFailedProps) => {
  const translate = useTranslate();
  return (
    <EmptyState
      icon="warning"
      title={title}
      text={error ? translate(error.message, { _: error.message }) : undefined}
      action={
        <button type="button" className="sl-button" onClick={onRetry}>
          {translate('list.retry')}
        </button>
      }
    />
  );
};
