import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { call } from '../../providers/call';
import { useIsServerReachable } from '../../providers/reachability';
import { session, useSession } from '../../providers/session';
import { Logo } from '../../ui/Logo';
import { useScheduledReloads } from './useScheduledReloads';
import { useWakeLock } from './useWakeLock';
import { useWallSize } from './useWallSize';
import { WallErrorBoundary } from './WallErrorBoundary';
import { WallTurns } from './WallTurns';
import './wall.css';

/** A screen that shows views of the fleet in rotation for weeks, without controls. */
export const Wall = () => {
  const translate = useTranslate();
  const { t, ut } = useSession();
  const { zoom, width, height } = useWallSize();
  useScheduledReloads();
  useWakeLock();
  return (
    <div className="sl-wall" data-tall={height > width} style={{ zoom, width, height }}>
      <WallErrorBoundary message={translate('wall.fault')}>
        {!t ? <WallNotice text={translate('wall.ended')} /> : ut ? <WallTurns /> : <WallStart />}
      </WallErrorBoundary>
    </div>
  );
};

/** Loads the wall's permissions; retries until the server answers. */
const WallStart = () => {
  const translate = useTranslate();
  const isReachable = useIsServerReachable();
  useQuery({
    queryKey: ['wall'],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /wall', { signal });
      session.set({ ut: data.user_token });
      return data;
    },
    retry: true,
  });
  return <WallNotice text={translate(isReachable ? 'frame.loading' : 'errors.network')} />;
};

const WallNotice = ({ text }: { text: string }) => (
  <main className="sl-wall__notice">
    <h1>
      <Logo size={64} />
    </h1>
    <p role="status">{text}</p>
  </main>
);
