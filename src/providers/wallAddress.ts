/** Address of a wall: `/?wall=1&lang=de&show=now,map&seconds=60&theme=light#sww_…`. */
import { isLanguage, type Language } from '../../schema/shared/languages';
import { type WallView, wallSeconds, wallViews } from '../../schema/shared/wall';

const search = new URLSearchParams(globalThis.location?.search);

/** Whether this page is a wall: full screen, rotating views, no controls. */
export const isWall = search.get('wall') === '1';

/** Walls are dark by default; the light theme is for bright rooms. */
export const wallTheme = search.get('theme') === 'light' ? 'light' : 'dark';

const tokenForm = /^#(sww_[\w-]{20,100})$/;

/**
 * Reads the token from the fragment of the URL, which browsers never send to servers. Removes it from the URL
 * and the history, where the next person at this screen could find it.
 */
export function takeWallToken(): string | undefined {
  const { hash, pathname, search: query } = globalThis.location;
  if (hash) globalThis.history.replaceState(globalThis.history.state, '', `${pathname}${query}`);
  return tokenForm.exec(hash)?.[1];
}

/** The language in the URL. */
export function wallLanguage(): Language | undefined {
  const language = search.get('lang');
  return isLanguage(language) ? language : undefined;
}

/** The views in the URL, and the seconds per view. */
export const wallChoice = (): { views: readonly WallView[]; seconds: number } => {
  const requestedViews = (search.get('show') ?? '').split(',');
  const views = wallViews.filter((view) => requestedViews.includes(view));
  return {
    views: views.length > 0 ? views : wallViews,
    seconds: Number(wallSeconds.find((choice) => choice === search.get('seconds')) ?? defaultSeconds),
  };
};

export const defaultSeconds = '30';

interface WallLink {
  /** Base URL of the product, without a trailing slash. */
  base: string;
  lang: Language;
  views: readonly WallView[];
  seconds: string;
  token: string;
}

export const printWallLink = ({ base, lang, views, seconds, token }: WallLink): string =>
  `${base}/?wall=1&lang=${lang}&show=${views.join(',')}&seconds=${seconds}#${token}`;
