/** The theme's colours for canvases, which cannot use CSS variables. */
import { useEffect, useState } from 'react';
import type { StateName } from '../../schema/entities/machines';

export type MapColors = Record<StateName | 'surface' | 'text' | 'border' | 'accent' | 'land' | 'shore', string>;

/** The current colours; updates when the theme changes. */
export function useMapColors(): MapColors {
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    const read = () => setColors(readColors());
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const theme = new MutationObserver(read);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    dark.addEventListener('change', read);
    return () => {
      theme.disconnect();
      dark.removeEventListener('change', read);
    };
  }, []);
  return colors;
}

function readColors(): MapColors {
  const style = getComputedStyle(document.documentElement);
  const colorOf = (name: string) => style.getPropertyValue(`--sl-${name}`).trim() || '#55636f';
  return {
    Cleaning: colorOf('cleaning'),
    Charging: colorOf('charging'),
    Parked: colorOf('parked'),
    Online: colorOf('online'),
    Offline: colorOf('offline'),
    surface: colorOf('surface'),
    text: colorOf('text'),
    border: colorOf('border'),
    accent: colorOf('accent'),
    land: colorOf('land'),
    shore: colorOf('shore'),
  };
}
