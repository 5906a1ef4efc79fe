import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../ui/EmptyState';
import { PageHead } from '../../ui/PageHead';

/** Page for unknown URLs. */
export const NotFound = () => {
  const translate = useTranslate();
  return (
    <>
      <PageHead title={translate('frame.page_not_found')} crumbs={[{ headerName: 'frame.page_not_found' }]} />
      <EmptyState
        title={translate('frame.page_not_found_text')}
        icon="search"
        action={
          <Link className="sl-button sl-button-primary" to="/">
            {translate('frame.to_dashboard')}
          </Link>
        }
      />
    </>
  );
};
