import './firstSteps.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { pathOf } from '../../crud/shared/paths';
import { can } from '../../providers/auth';
import { fetchRows } from '../../providers/rows';
import { useLive } from '../../providers/useLive';
import { useServerConfig } from '../../providers/useServerConfig';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { LoadingNotice } from '../../ui/LoadingNotice';

/** The entities to create first; each requires the ones before it. */
const firstEntities = ['clients', 'fleets', 'locations', 'machines'] as const;

interface Progress {
  counts: Record<(typeof firstEntities)[number], number>;
  /** The machine to connect, with the id of its tracker. */
  machine: { id: number; serial_number: string; device: string | undefined } | undefined;
  /** Number of unknown devices that send messages. */
  unknown: number;
  /** Whether any machine has sent a message. */
  isConnected: boolean;
}

/** Checklist for an empty installation, from the first client to the first message of a device. Updates live. */
export const FirstSteps = () => {
  const translate = useTranslate();
  const { data: progress, refetch } = useQuery({
    queryKey: ['dashboard', 'first steps'],
    queryFn: ({ signal }) => readProgress(signal),
    refetchInterval: 10_000,
  });
  useLive('resource/machines', () => void refetch());
  useLive('resource/trackers', () => void refetch());
  const nextStep = progress && firstEntities.find((name) => progress.counts[name] === 0);
  return (
    <section className="sl-first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{translate('first_steps.title')}</h2>
      <p>{translate('first_steps.text')}</p>
      <ol>
        {firstEntities
          .filter((name) => can(name, 'create'))
          .map((name) => (
            <Step key={name} isDone={(progress?.counts[name] ?? 0) > 0} title={translate(`first_steps.${name}`)}>
              <Link
                className={name === nextStep ? 'sl-button sl-button-primary' : 'sl-button'}
                to={pathOf(name, 'create')}
              >
                {translate(`resources.${name}.add`)}
              </Link>
            </Step>
          ))}
        <Step isDone={progress?.isConnected ?? false} title={translate('first_steps.device')}>
          {progress && <Connection progress={progress} />}
        </Step>
      </ol>
    </section>
  );
};

const Step = ({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) => {
  const translate = useTranslate();
  return (
    <li data-done={isDone}>
      <span className="sl-first-steps__mark">
        {isDone && <Icon name="check" size={16} />}
        <span className="sl-hidden">{translate(isDone ? 'first_steps.done' : 'first_steps.open')}</span>
      </span>
      <div>
        <h3>{title}</h3>
        {!isDone && children}
      </div>
    </li>
  );
};

/**
 * Shows the address and id to configure in the device, a command that sends a first message, and whether one has
 * arrived.
 */
const Connection = ({ progress: { machine, unknown } }: { progress: Progress }) => {
  const translate = useTranslate();
  const base = useServerConfig()?.public_url;
  const device = machine?.device ?? 'my-device-1';
  if (base === undefined) return <LoadingNotice what="data" />;
  const command = `curl "${base}/ingest/osmand?id=${encodeURIComponent(device)}&status=cleaning&battery=80"`;
  return (
    <>
      <dl>
        <dt>{translate('first_steps.address')}</dt>
        <dd>
          <code>{`${base}/ingest/osmand`}</code>
        </dd>
        <dt>{translate('first_steps.id')}</dt>
        <dd>
          <code>{device}</code>
          {machine?.device && ` (${machine.serial_number})`}
        </dd>
      </dl>
      <p className="sl-first-steps__command">
        <code>{command}</code>
        <CopyButton text={command} />
      </p>
      <p className="sl-first-steps__waiting" role="status">
        {unknown > 0 ? translate('first_steps.assign') : translate('first_steps.waiting')}
      </p>
      {unknown > 0 && (
        <Link className="sl-button" to="/admin/fleets/trackers">
          {translate('resources.trackers.plural')}
        </Link>
      )}
      {!machine?.device && unknown === 0 && <p>{translate('first_steps.without_tracker')}</p>}
    </>
  );
};

async function readProgress(signal: AbortSignal): Promise<Progress> {
  const fetchTotal = async (
    name: (typeof firstEntities)[number] | 'trackers',
    filter: { path: string; values: string[] }[] = [],
  ) => (can(name, 'list') ? (await fetchRows(name, { per_page: 1, fields: ['id'], filter, signal })).total : 0);
  const [counts, machines, connected, unknown] = await Promise.all([
    Promise.all(firstEntities.map(async (name) => [name, await fetchTotal(name)] as const)),
    fetchRows('machines', {
      per_page: 1,
      include: can('trackers', 'list') ? ['tracker'] : [],
      sort: [{ path: 'tracker_id', descending: false }],
      signal,
    }),
    fetchTotal('machines', [{ path: 'last_seen', values: ['>=2000-01-01T00:00:00Z'] }]),
    fetchTotal('trackers', [
      { path: 'assigned', values: ['false'] },
      { path: 'last_seen', values: ['>=2000-01-01T00:00:00Z'] },
    ]),
  ]);
  const [first] = machines.data;
  const tracker = first?.tracker;
  return {
    counts: Object.fromEntries(counts) as Progress['counts'],
    machine: first && {
      id: first.id,
      serial_number: first.serial_number,
      device: tracker ? (tracker.tracker_or_serial ?? tracker.refno) : undefined,
    },
    unknown,
    isConnected: connected > 0,
  };
}
