import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon';

/** Link to the label page for this machine. */
export const PrintLabel = ({ id }: { id: number }) => {
  const translate = useTranslate();
  return (
    <Link className="sl-button" to={`/machines/labels?ids=${id}`}>
      <Icon name="qr" size={16} />
      {translate('labels.one')}
    </Link>
  );
};
