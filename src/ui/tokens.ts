/**
 * The only source of colours and measures. `npm run tokens` writes `tokens.css` from it, which a test compares;
 * Material UI's theme reads the values directly.
 */

const light = {
  page: '#f6f8f9',
  surface: '#ffffff',
  border: '#dfe5e8',
  control: '#7b8893',
  hover: '#eef2f3',
  selected: '#e7f4f3',
  text: '#14202b',
  secondary: '#55636f',
  accent: '#0b7a75',
  accentStrong: '#095f5b',
  onAccent: '#ffffff',
  danger: '#b42318',
  onDanger: '#ffffff',
  dangerSoft: '#fdf0ee',
  warning: '#9a5b00',
  warningSoft: '#fdf4e5',
  success: '#1f7a3d',
  cleaning: '#0b7a75',
  charging: '#9a5b00',
  parked: '#4453c4',
  online: '#1f7a3d',
  offline: '#55636f',
  scrim: 'rgb(20 32 43 / 45%)',
  shadow: '0 8px 24px rgb(20 32 43 / 14%), 0 1px 3px rgb(20 32 43 / 10%)',
};

const dark: ColorTokens = {
  page: '#0e1418',
  surface: '#161e24',
  border: '#2a3741',
  control: '#6d7d8a',
  hover: '#1d272f',
  selected: '#17302f',
  text: '#e6edf2',
  secondary: '#9baab6',
  accent: '#3cc8be',
  accentStrong: '#6cd9d1',
  onAccent: '#0e1418',
  danger: '#f97066',
  onDanger: '#0e1418',
  dangerSoft: '#331b1b',
  warning: '#f5b04d',
  warningSoft: '#332713',
  success: '#5ccb85',
  cleaning: '#3cc8be',
  charging: '#f5b04d',
  parked: '#9aa5f5',
  online: '#5ccb85',
  offline: '#9baab6',
  scrim: 'rgb(0 0 0 / 60%)',
  shadow: '0 8px 24px rgb(0 0 0 / 50%), 0 1px 3px rgb(0 0 0 / 40%)',
};

export type ColorTokens = Record<keyof typeof light, string>;
export type ColorMode = 'light' | 'dark';

export const colorTokens: Record<ColorMode, ColorTokens> = { light, dark };

/** Lengths in pixels. */
export const measureTokens = { radius: 8, radiusControl: 6 };

export const fontFamily = '"Inter Variable", Inter, system-ui, sans-serif';
