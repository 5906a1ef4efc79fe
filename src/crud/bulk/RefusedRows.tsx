import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import type { RefusedRow } from '../../providers/bulk';
import { Modal } from '../../ui/Modal';
import { usePathOf } from '../shared/paths';
import { useCountText } from '../shared/useCountText';
import './bulk.css';

interface RefusedRowsProps {
  entity: Entity;
  rows: readonly RefusedRow[];
  /** Number of all rejected rows, which may exceed those listed. */
  total: number;
  onClose: () => void;
}

/** The rows that made the server reject bulk work, with reasons. */
export const RefusedRows = ({ entity, rows, total, onClose }: RefusedRowsProps) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const countText = useCountText();
  return (
    <Modal role="alertdialog" title={translate('many.refused')} onClose={onClose}>
      <p>{translate('many.refused_text', { smart_count: total })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="sl-refused" tabIndex={0} aria-label={translate('many.refused')}>
        <ul>
          {rows.map(({ id, name, message, uses = [] }) => (
            <li key={id}>
              <Link to={pathOf(entity.name, id)} onClick={onClose}>
                {name}
              </Link>
              <span>{translate(message, { _: message })}</span>
              {uses
                .filter(({ resource }) => can(resource, 'list'))
                .map(({ resource, field, count }) => (
                  <Link
                    key={`${resource} ${field}`}
                    to={`${pathOf(resource)}${queryOfUses(field, id)}`}
                    onClick={onClose}
                  >
                    {countText(`resources.${resource}.counted`, count)}
                  </Link>
                ))}
            </li>
          ))}
        </ul>
        {total > rows.length && <p>{translate('many.refused_more', { smart_count: total - rows.length })}</p>}
      </section>
      <div className="sl-modal-actions">
        <button type="button" className="sl-button sl-button-primary" onClick={onClose}>
          {translate('dialogs.close')}
        </button>
      </div>
    </Modal>
  );
};

/** Query string that lists the rows with a reference to this row. */
const queryOfUses = (field: string, id: number): string =>
  `?filter=${encodeURIComponent(JSON.stringify({ [field]: [id] }))}`;
