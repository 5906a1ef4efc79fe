import { type Identifier, type RaRecord, useGetOne, useTranslate } from 'ra-core';
import { type KeyboardEvent, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { Icon, type IconName } from '../../ui/Icon';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { includesOf, titleOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';
import { Details, detailGroups } from './Details';
import './record.css';
import './peek.css';

interface PeekProps {
  entity: Entity;
  id: Identifier;
  /** Closes the panel and returns the focus to the row. */
  onClose: () => void;
  /** Open the previous and next row; absent at the ends, or if the order is unknown. */
  onPrevious?: () => void;
  onNext?: () => void;
}

/** A row beside its list: the columns of the list, then the first group of the form. Never takes the focus. */
export const Peek = ({ entity, id, onClose, onPrevious, onNext }: PeekProps) => {
  const translate = useTranslate();
  const language = useLanguage();
  const pathOf = usePathOf();
  const groups = useMemo(() => peekGroups(entity), [entity]);
  const meta = useMemo(
    () => ({
      include: includesOf(
        entity,
        groups.flatMap(({ fields }) => fields),
      ),
    }),
    [entity, groups],
  );
  const { data, error } = useGetOne<RaRecord, Error>(entity.name, { id, meta }, { meta: { quiet: true } });
  const title = data && titleOf(entity, data, language);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <section className="sl-peek" aria-label={title ?? translate('list.peek')} onKeyDown={onKeyDown}>
      <header>
        <h2>{title ? <Link to={pathOf(entity.name, id)}>{title}</Link> : translate('list.peek')}</h2>
        {(onPrevious || onNext) && (
          <>
            <StepButton icon="up" label="record.previous" onClick={onPrevious} />
            <StepButton icon="down" label="record.next" onClick={onNext} />
          </>
        )}
        <button type="button" className="sl-icon-button" aria-label={translate('frame.close')} onClick={onClose}>
          <Icon name="close" size={18} />
        </button>
      </header>
      {error && <p role="alert">{translate(error.message, { _: error.message })}</p>}
      {!error && !data && <LoadingNotice what="data" />}
      {data && <Details entity={entity} record={data} groups={groups} />}
    </section>
  );
};

interface StepButtonProps {
  icon: IconName;
  /** Translation key. */
  label: string;
  onClick: (() => void) | undefined;
}

/**
 * Button that opens a neighbouring row. At the ends it stays focusable, since a disabled button would lose the focus.
 */
const StepButton = ({ icon, label, onClick }: StepButtonProps) => (
  <button
    type="button"
    className="sl-icon-button"
    aria-label={useTranslate()(label)}
    aria-disabled={!onClick}
    onClick={onClick}
  >
    <Icon name={icon} size={18} />
  </button>
);

/** Fields of the panel: columns of the list that the user may see, then the first group of the form. */
export function peekGroups(entity: Entity) {
  const groups = detailGroups(entity);
  const grouped = new Set(groups.flatMap(({ fields }) => fields));
  const columns = entity.list.columns.filter((name) => grouped.has(name));
  return [{ name: 'details', fields: [...new Set([...columns, ...(groups[0]?.fields ?? [])])] }];
}
