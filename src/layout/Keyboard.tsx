import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { areShortcutsOn, isTyping, keyHandlerOf } from '../ui/keys';
import { lazyPage } from '../ui/lazyPage';
import { openOverlay, useOverlay } from '../ui/overlay';
import { ownMenu } from './menus';
import { startTypingAhead, typeAhead } from './typedAhead';
import { useClearLists } from './useClearLists';
import type { ChosenAction } from './useSearchActions';

const Palette = lazyPage(() => import('./Palette'), 'Palette');
const KeySheet = lazyPage(() => import('./KeySheet'), 'KeySheet');

/** Milliseconds within which the second letter of a pair must follow. */
const pairTime = 1200;

/** "g" followed by one of these letters opens a page or a section of it, if the user's menu has the page. */
const pagePaths: Readonly<Record<string, string>> = {
  d: '/',
  i: '/#inbox',
  m: '/machines',
  c: '/clients',
  u: '/users',
  a: '/account',
};

/** Handles global shortcuts; shows the search and the sheet of shortcuts above the page. */
export const Keyboard = () => {
  const overlay = useOverlay();
  const navigate = useNavigate();
  const clearLists = useClearLists();
  const [pendingAction, setPendingAction] = useState<ChosenAction & { time: number }>();
  const firstKeyTime = useRef(Number.NEGATIVE_INFINITY);
  // A layout effect, so that keys work as soon as the page is visible.
  useLayoutEffect(() => {
    const goTo = (to: string | undefined) => {
      if (!to || !ownMenu().some((item) => item.to === to.replace(/#.*/, ''))) return false;
      clearLists();
      navigate(to);
      return true;
    };
    const handleKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        startTypingAhead();
        openOverlay('search');
        return;
      }
      if (overlay === 'search' && !ctrlKey && !metaKey && !altKey && !hasSearchField()) {
        event.preventDefault();
        if (key === 'Escape') openOverlay(undefined);
        else typeAhead(key);
        return;
      }
      if (ctrlKey || metaKey || altKey || event.defaultPrevented || !areShortcutsOn() || isTyping(target)) return;
      const isSecond = timeStamp - firstKeyTime.current < pairTime;
      firstKeyTime.current = key === 'g' && !isSecond ? timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond ? goTo(pagePaths[key]) : runShortcut(key)) event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [navigate, clearLists, overlay]);
  return (
    <Suspense fallback={null}>
      {overlay === 'search' && (
        <Palette
          onAct={(next) => setPendingAction({ ...next, time: performance.now() })}
          onClose={() => openOverlay(undefined)}
        />
      )}
      {pendingAction && (
        <pendingAction.Dialog
          key={pendingAction.time}
          entity={pendingAction.entity}
          row={pendingAction.row}
          onClose={() => setPendingAction(undefined)}
        />
      )}
      {overlay === 'keys' && <KeySheet onClose={() => openOverlay(undefined)} />}
    </Suspense>
  );
};

const hasSearchField = () => document.querySelector('.sl-palette input') !== null;

function runShortcut(key: string): boolean {
  if (key === '?') {
    openOverlay('keys');
    return true;
  }
  const run = keyHandlerOf(key);
  run?.();
  return run !== undefined;
}
