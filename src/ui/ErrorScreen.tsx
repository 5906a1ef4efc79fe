import { useTranslate } from 'react-admin';
import { Icon } from './Icon';
import { isMissingPage } from './lazyPage';

/** "Something went wrong!" with the message, and a button that resets the error. */
export const ErrorScreen = ({
  error,
  resetErrorBoundary,
}: {
  error: Error;
  resetErrorBoundary: (reason?: unknown) => void;
}) => {
  const translate = useTranslate();
  return (
    <section className="sl-empty" role="alert">
      <Icon name="warning" size={40} className="sl-empty-danger" />
      <h1>{translate('errors.title')}</h1>
      <p>{isMissingPage(error) ? translate('errors.page_load') : translate(error.message, { _: error.message })}</p>
      {/* Browsers remember a module that failed to load, so only a reload requests it again. */}
      <button
        type="button"
        className="sl-button sl-button-primary"
        onClick={() => (isMissingPage(error) ? window.location.reload() : resetErrorBoundary())}
      >
        {translate('errors.reload')}
      </button>
    </section>
  );
};
