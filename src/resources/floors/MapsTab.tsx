import './floors.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatNumber } from '../../i18n/format';
import { can } from '../../providers/auth';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';
import { EmptyState } from '../../ui/EmptyState';
import { LoadFailed } from '../../ui/LoadFailed';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { RelativeTime } from '../../ui/RelativeTime';
import { useToast } from '../../ui/useToast';
import type { FloorRecord } from './floorRecord';
import { LinkMap } from './LinkMap';
import { usePatchFloor } from './usePatchFloor';

/** Robot maps that are linked to the floor, and unlinked ones at its location. */
export function MapsTab({ floor }: { floor: FloorRecord }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { patchFloor, begin } = usePatchFloor(floor);
  const confirm = useConfirm();
  const notify = useToast();
  const [chosenMap, choose] = useState<string>();
  const canEdit = can('floors', 'edit');
  const { data, error, refetch } = useQuery({
    queryKey: ['floors', 'robot_maps', floor.id, floor.version],
    queryFn: ({ signal }) => call('GET /floors/{id}/robot-maps', { params: { id: floor.id }, signal }),
    enabled: can('machines', 'show'),
  });
  const linkedMaps = floor.maps ?? [];

  const save = async (maps: FloorRecord['maps'], toast: string) => {
    await patchFloor({ maps });
    choose(undefined);
    notify('success', translate(toast));
  };
  const edit = (mapId: string) => {
    begin();
    choose(mapId);
  };
  const unlink = async (mapId: string) => {
    begin();
    const question = {
      title: translate('floors.unlink_title', { map: mapId }),
      description: translate('floors.unlink_text'),
      button: translate('floors.unlink'),
    };
    if (!(await confirm(question))) return;
    await save(
      linkedMaps.filter(({ map_id }) => map_id !== mapId),
      'floors.map_unlinked',
    ).catch((failure: Error) => notify('error', failure.message));
  };

  if (chosenMap !== undefined)
    return (
      <LinkMap
        key={chosenMap}
        floor={floor}
        mapId={chosenMap}
        transformation={linkedMaps.find(({ map_id }) => map_id === chosenMap)?.transformation ?? undefined}
        onSave={(transformation) =>
          save(
            [...linkedMaps.filter(({ map_id }) => map_id !== chosenMap), { map_id: chosenMap, transformation }],
            'floors.map_linked',
          )
        }
        onClose={() => choose(undefined)}
      />
    );

  const editButton = (mapId: string, label: string) => (
    <button type="button" className="sl-button sl-button-small" onClick={() => edit(mapId)}>
      {translate(label, { map: mapId })}
    </button>
  );
  return (
    <div className="sl-floor-plan">
      {linkedMaps.length > 0 && (
        <section className="sl-section">
          <h2>{translate('floors.linked_maps')}</h2>
          <ul className="sl-floor-list">
            {linkedMaps.map(({ map_id, transformation }) => (
              <li key={map_id} className="sl-floor-map">
                <strong>{map_id}</strong>
                <span>
                  {translate('floors.map_facts', {
                    scale: formatNumber(transformation?.scale ?? 1, { language, decimals: 4 }),
                    degrees: formatNumber(transformation?.rotation ?? 0, { language, decimals: 1 }),
                  })}
                </span>
                {canEdit && (
                  <span className="sl-floor-tools">
                    {editButton(map_id, 'floors.fit_again')}
                    <button type="button" className="sl-button sl-button-small" onClick={() => void unlink(map_id)}>
                      {translate('floors.unlink_map', { map: map_id })}
                    </button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="sl-section">
        <h2>{translate('floors.unlinked_maps')}</h2>
        {error ? (
          <LoadFailed title={translate('floors.maps_failed')} error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <LoadingNotice what="data" />
        ) : data.data.length === 0 ? (
          <EmptyState title={translate('floors.no_maps')} text={translate('floors.no_maps_text')} icon="map" />
        ) : (
          <ul className="sl-floor-list">
            {data.data.map(({ map_id, positions, last_seen_at, machines }) => (
              <li key={map_id} className="sl-floor-map">
                <strong>{map_id}</strong>
                <span>
                  {machines.map(({ serial_number }) => serial_number).join(', ')} ·{' '}
                  {translate('floors.positions', { count: formatNumber(positions, { language }) })} ·{' '}
                  <RelativeTime value={last_seen_at} />
                </span>
                {canEdit && editButton(map_id, 'floors.link_map')}
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
