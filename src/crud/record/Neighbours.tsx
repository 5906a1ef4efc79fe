import { type Identifier, type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { formatNumber } from '../../i18n/format';
import { IconButton } from '../../ui/IconButton';
import { useKey } from '../../ui/keys';
import { lastList, positionInList, rememberList } from '../shared/lastList';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';

/**
 * Buttons for the previous and next record of the list from which the record was opened, across pages. Renders nothing
 * if it was not opened from a list, or is the only record of the list.
 */
export const Neighbours = ({ entity, id, tab }: { entity: Entity; id: Identifier; tab: string }) => {
  const translate = useTranslate();
  const navigate = useNavigate();
  const pathOf = usePathOf();
  const notify = useNotify();
  const language = useLanguage();
  const provider = useDataProvider();
  const [isBusy, setBusy] = useState(false);
  const listSnapshot = lastList(entity.name);
  const position = listSnapshot && positionInList(listSnapshot, id);
  const total = listSnapshot?.total ?? 0;

  const goTo = async (to: number) => {
    if (!listSnapshot || isBusy || to < 1 || to > total) return;
    setBusy(true);
    try {
      const page = Math.ceil(to / listSnapshot.perPage);
      const ids = page === listSnapshot.page ? listSnapshot.ids : await loadPage(page);
      const next = ids[to - (page - 1) * listSnapshot.perPage - 1];
      if (next !== undefined) navigate(`${pathOf(entity.name, next)}${tab ? `/${tab}` : ''}`);
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  const loadPage = async (page: number) => {
    const { perPage, filter, sort } = listSnapshot as NonNullable<typeof listSnapshot>;
    const { data, total: newTotal = 0 } = await provider.getList<RaRecord>(entity.name, {
      pagination: { page, perPage },
      filter,
      sort,
      meta: { sparse: true },
    });
    const ids = data.map((row) => row.id);
    rememberList(entity.name, { ids, page, perPage, total: newTotal, filter, sort });
    return ids;
  };
  useKey('j', position !== undefined && position < total ? () => void goTo(position + 1) : undefined);
  useKey('k', position !== undefined && position > 1 ? () => void goTo(position - 1) : undefined);
  if (position === undefined || total < 2) return null;
  const label = translate('record.place', {
    place: formatNumber(position, { language }),
    total: formatNumber(total, { language }),
  });
  const step = (to: number, icon: 'previous' | 'next') => (
    <IconButton
      icon={icon}
      label={translate(`record.${icon}`)}
      disabled={isBusy || to < 1 || to > total}
      onClick={() => void goTo(to)}
    />
  );
  return (
    <fieldset className="sl-neighbours" aria-label={label}>
      {step(position - 1, 'previous')}
      <span className="sl-numeral">{label}</span>
      {step(position + 1, 'next')}
    </fieldset>
  );
};
