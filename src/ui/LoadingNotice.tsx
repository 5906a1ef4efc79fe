import { useTranslate } from 'react-admin';

/** Notice that `what` is being loaded or applied (specification, section 8). */
export const LoadingNotice = ({ what }: { what: 'data' | 'filters' | 'page' | 'per_page' }) => {
  const translate = useTranslate();
  return (
    <p className="sl-loading" role="status">
      <span className="sl-spinner" aria-hidden="true" />
      {translate(`list.loading_${what}`)}
    </p>
  );
};
