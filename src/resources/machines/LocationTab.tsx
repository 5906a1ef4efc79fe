import './machine.css';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { presentDay } from '../../charts/period';
import { useLanguage } from '../../crud/shared/useLanguage';
import { formatDateTime, formatNumber } from '../../i18n/format';
import { defaultSilence, lengthOf, type TrackPoint, trackMetres } from '../../map/track';
import { call } from '../../providers/call';
import { useLive } from '../../providers/useLive';
import { useThrottle } from '../../providers/useThrottle';
import { Icon } from '../../ui/Icon';
import { LoadingNotice } from '../../ui/LoadingNotice';
import { RelativeTime } from '../../ui/RelativeTime';
import { endOfLocalDay, startOfLocalDay } from './localDays';
import { MachineOnPlan } from './MachineOnPlan';
import { MissingPlans } from './MissingPlans';
import { type MachineRow, offlineAfterOf } from './machineRow';
import { PeriodForm } from './PeriodForm';
import { Stays } from './Stays';
import { useMachineFloor } from './useMachineFloor';
import { usePeriod } from './usePeriod';

const PointMap = lazy(async () => ({ default: (await import('../../map/PointMap')).PointMap }));
const TrackMap = lazy(async () => ({ default: (await import('../../map/TrackMap')).TrackMap }));

/** Minimum milliseconds between two requests for a track, however often the machine sends messages. */
const reloadPause = 2000;

/** The machine's position, its track in a period, and its stays at locations. */
export function LocationTab({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const loading = (
    <p className="sl-loading" role="status" data-room="map">
      {translate('map.loading')}
    </p>
  );
  const { floorPosition, plan, isPending } = useMachineFloor(machine.id);
  const needsPlan = !isPending && (!floorPosition || plan?.floor.plan === null);
  const hasCoordinates = machine.latitude !== null && machine.longitude !== null;
  return (
    <div className="sl-machine-tab">
      <section className="sl-section">
        <h2>{translate('machine.position')}</h2>
        {isPending && <LoadingNotice what="data" />}
        <div className="sl-position" data-on-floor={Boolean(floorPosition)}>
          {floorPosition && <MachineOnPlan machine={machine} position={floorPosition} plan={plan} />}
          {!isPending && machine.latitude !== null && machine.longitude !== null && (
            <div className="sl-position__map">
              <Facts machine={machine} />
              <Suspense fallback={loading}>
                <PointMap
                  machine={{ ...machine, latitude: machine.latitude, longitude: machine.longitude }}
                  site={siteOf(machine)}
                />
              </Suspense>
            </div>
          )}
        </div>
        {!isPending && !floorPosition && !hasCoordinates && <p>{translate('machine.position_unknown')}</p>}
        {needsPlan && machine.location_id !== null && <MissingPlans locationId={machine.location_id} />}
      </section>
      <Suspense fallback={loading}>
        <Track machine={machine} />
      </Suspense>
      <Stays machine={machine} />
    </div>
  );
}

function Facts({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const site = siteOf(machine);
  return (
    <dl className="sl-machine-facts">
      <div>
        <dt>{translate('resources.machines.fields.location_id')}</dt>
        <dd>
          {machine.location ? (
            <Link to={`/locations/${machine.location.id}`}>
              {machine.location.name}, {machine.location.city}
            </Link>
          ) : (
            '–'
          )}
        </dd>
      </div>
      <div>
        <dt>{translate('machine.position')}</dt>
        <dd>
          {machine.latitude?.toFixed(5)}, {machine.longitude?.toFixed(5)}
        </dd>
      </div>
      {site && machine.latitude !== null && machine.longitude !== null && (
        <div>
          <dt>{translate('machine.from_site')}</dt>
          <dd>
            <SiteDistance
              metres={trackMetres(site, { latitude: machine.latitude, longitude: machine.longitude })}
              radius={site.radius}
            />
          </dd>
        </div>
      )}
      <div>
        <dt>{translate('resources.machines.fields.last_seen')}</dt>
        <dd>
          <RelativeTime value={machine.last_seen} />
        </dd>
      </div>
    </dl>
  );
}

/** Distance from the centre of the site; highlighted if it exceeds the working radius. */
function SiteDistance({ metres, radius }: { metres: number; radius: number | null }) {
  const translate = useTranslate();
  const language = useLanguage();
  const print = (value: number) => `${formatNumber(Math.round(value), { language })} m`;
  if (radius === null || metres <= radius) return print(metres);
  return (
    <strong className="sl-left-site">
      <Icon name="warning" size={16} />
      {translate('machine.left_site', { distance: print(metres), radius: print(radius) })}
    </strong>
  );
}

function Track({ machine }: { machine: MachineRow }) {
  const translate = useTranslate();
  const language = useLanguage();
  const { period, choose } = usePeriod({ timeZone: undefined, days: 1 });
  const client = useQueryClient();
  const silence = Math.max(defaultSilence, (offlineAfterOf(machine) ?? 0) * 1000);
  const { data: track, isError } = useQuery<TrackPoint[]>({
    queryKey: ['machines', 'track', machine.id, period.from, period.to],
    queryFn: ({ signal }) =>
      call('GET /machines/{id}/track', {
        params: { id: machine.id },
        query: { from: startOfLocalDay(period.from), to: endOfLocalDay(period.to) },
        signal,
      }).then(({ data }) => data),
    placeholderData: keepPreviousData,
  });
  const reload = useThrottle(
    () => void client.invalidateQueries({ queryKey: ['machines', 'track', machine.id] }),
    reloadPause,
  );
  useLive(`resource/machines/${machine.id}`, () => {
    if (period.to >= presentDay()) reload();
  });
  return (
    <section className="sl-section">
      <h2>{translate('machine.track')}</h2>
      <PeriodForm period={period} onChoose={choose} />
      {isError && <p role="alert">{translate('errors.generic')}</p>}
      {track?.length === 0 && <p role="status">{translate('machine.track_empty')}</p>}
      {track && track.length > 0 && (
        <>
          <p className="sl-machine-count">
            {translate('machine.distance')}: {formatNumber(Math.round(lengthOf(track, silence)), { language })} m
          </p>
          <TrackMap
            name={machine.serial_number}
            track={track}
            silence={silence}
            printTime={(ms) => formatDateTime(ms, { seconds: true })}
          />
        </>
      )}
    </section>
  );
}

function siteOf({ location, fleet }: MachineRow) {
  if (!location || location.latitude === null || location.longitude === null) return undefined;
  return { latitude: location.latitude, longitude: location.longitude, radius: fleet?.working_radius ?? null };
}
