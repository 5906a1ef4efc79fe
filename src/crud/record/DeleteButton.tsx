import type { RaRecord } from 'ra-core';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon } from '../../ui/Icon';
import { usePathOf } from '../shared/paths';
import { isDeletable, removalTextsOf } from '../shared/removalTexts';
import { useDeleteRow } from './useDeleteRow';

/** Deletes a row after confirmation and returns to the list. Renders nothing if the user may not delete the row. */
export const DeleteButton = ({ entity, record }: { entity: Entity; record: RaRecord }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const { remove, isBusy, refusal } = useDeleteRow({ entity, isPageOpen: true });
  const { icon, label } = removalTextsOf(entity);
  if (!isDeletable(entity, record)) return null;
  const removeAndLeave = async () => {
    if ((await remove(record)) === 'done') navigate(pathOf(entity.name));
  };
  return (
    <>
      <button type="button" className="sl-button" disabled={isBusy} onClick={() => void removeAndLeave()}>
        <Icon name={icon} size={16} />
        {translate(label)}
      </button>
      {refusal}
    </>
  );
};
