import { type ComponentType, useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { WallView } from '../../../schema/shared/wall';
import { formatDateTime } from '../../i18n/format';
import { useLiveInbox } from '../../providers/useInbox';
import { wallChoice } from '../../providers/wallAddress';
import { useNow } from '../../resources/machines/useFleetTimeline';
import { Icon } from '../../ui/Icon';
import { Logo } from '../../ui/Logo';
import { useDataAge } from './useDataAge';
import { WallMap } from './WallMap';
import { WallNow } from './WallNow';
import { WallTimeline } from './WallTimeline';
import { WallWork } from './WallWork';
import { wallName } from './wallName';

/** A view of a wall. `round` counts how often it was shown before, so that long lists continue on their next page. */
export type WallViewComponent = ComponentType<{ round: number }>;

const views: Record<WallView, WallViewComponent> = {
  now: WallNow,
  work: WallWork,
  map: WallMap,
  timeline: WallTimeline,
};

/** Shows the views in rotation below the wall's name, the time and, while no new data arrives, the age of the data. */
export const WallTurns = () => {
  const translate = useTranslate();
  const { views: visibleViews, seconds } = wallChoice();
  const turn = useTurn(seconds);
  useLiveInbox();
  const view = visibleViews[turn % visibleViews.length] ?? 'now';
  const View = views[view];
  const time = formatDateTime(useNow()).split(' ');
  const age = useDataAge();
  return (
    <>
      <header className="sl-wall__head">
        <Logo size={44} hasName={false} />
        <p>{wallName()}</p>
        <h1>{translate(`wall.views.${view}`)}</h1>
        <p className="sl-wall__clock">
          {time[0]} <b>{time[1]}</b>
        </p>
      </header>
      {age && (
        <p className="sl-wall__age" role="status">
          <Icon name="warning" size={32} />
          {translate(age.isReachable ? 'wall.old' : 'wall.as_of', { moment: formatDateTime(age.since) })}
        </p>
      )}
      <main className="sl-wall__view" data-view={view}>
        <View key={turn} round={Math.floor(turn / visibleViews.length)} />
      </main>
      <footer className="sl-wall__turns" aria-hidden="true">
        {visibleViews.map((name) => (
          <i key={name} data-current={name === view} />
        ))}
      </footer>
    </>
  );
};

/** Number of the current turn. Arrow keys step forward and back; the space bar pauses and resumes. */
function useTurn(seconds: number): number {
  const [{ turn, isPaused }, setState] = useState({ turn: 0, isPaused: false });
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => setState({ turn: turn + 1, isPaused }), seconds * 1000);
    return () => clearTimeout(timer);
  }, [turn, isPaused, seconds]);
  useEffect(() => {
    const handleKey = ({ key }: KeyboardEvent) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0;
      if (step !== 0) setState((now) => ({ ...now, turn: Math.max(0, now.turn + step) }));
      if (key === ' ') setState((now) => ({ ...now, isPaused: !now.isPaused }));
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  return turn;
}
