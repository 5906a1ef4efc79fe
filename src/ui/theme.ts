/** The colours and sizes of `tokens.css` for Material UI, light and dark. */
import type { RaThemeOptions } from 'react-admin';

const font = '"Inter Variable", Inter, system-ui, sans-serif';

interface Colours {
  page: string;
  surface: string;
  border: string;
  control: string;
  text: string;
  secondary: string;
  accent: string;
  accentStrong: string;
  onAccent: string;
  danger: string;
  warning: string;
  success: string;
  hover: string;
  selected: string;
}

const light: Colours = {
  page: '#f6f8f9',
  surface: '#ffffff',
  border: '#dfe5e8',
  control: '#7b8893',
  text: '#14202b',
  secondary: '#55636f',
  accent: '#0b7a75',
  accentStrong: '#095f5b',
  onAccent: '#ffffff',
  danger: '#b42318',
  warning: '#9a5b00',
  success: '#1f7a3d',
  hover: '#eef2f3',
  selected: '#e7f4f3',
};

const dark: Colours = {
  page: '#0e1418',
  surface: '#161e24',
  border: '#2a3741',
  control: '#6d7d8a',
  text: '#e6edf2',
  secondary: '#9baab6',
  accent: '#3cc8be',
  accentStrong: '#6cd9d1',
  onAccent: '#0e1418',
  danger: '#f97066',
  warning: '#f5b04d',
  success: '#5ccb85',
  hover: '#1d272f',
  selected: '#17302f',
};

const floating = { boxShadow: 'var(--sl-shadow)' };

export const lightTheme = themeOf('light', light);
export const darkTheme = themeOf('dark', dark);

function themeOf(mode: 'light' | 'dark', c: Colours): RaThemeOptions {
  return {
    palette: {
      mode,
      primary: { main: c.accent, dark: c.accentStrong, contrastText: c.onAccent },
      secondary: { main: c.accent, dark: c.accentStrong, contrastText: c.onAccent },
      error: { main: c.danger, contrastText: c.onAccent },
      warning: { main: c.warning, contrastText: c.onAccent },
      success: { main: c.success, contrastText: c.onAccent },
      info: { main: c.accent, contrastText: c.onAccent },
      text: { primary: c.text, secondary: c.secondary, disabled: c.secondary },
      background: { default: c.page, paper: c.surface },
      divider: c.border,
      action: { hover: c.hover, selected: c.selected, active: c.secondary },
    },
    shape: { borderRadius: 6 },
    spacing: 8,
    typography: {
      fontFamily: font,
      fontSize: 14,
      body1: { fontSize: 14, lineHeight: '20px' },
      body2: { fontSize: 14, lineHeight: '20px' },
      caption: { fontSize: 12, lineHeight: '16px' },
      subtitle1: { fontSize: 16, fontWeight: 600 },
      h1: { fontSize: 20, lineHeight: '28px', fontWeight: 600 },
      h2: { fontSize: 16, lineHeight: '24px', fontWeight: 600 },
      h3: { fontSize: 14, lineHeight: '20px', fontWeight: 600 },
      h4: { fontSize: 14, fontWeight: 600 },
      h5: { fontSize: 14, fontWeight: 600 },
      h6: { fontSize: 14, fontWeight: 600 },
      button: { fontSize: 14, lineHeight: '20px', fontWeight: 550, textTransform: 'none' },
    },
    components: {
      MuiButtonBase: { defaultProps: { disableRipple: true } },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: {
          root: { borderRadius: 6, minHeight: 36, paddingInline: 14, '&.Mui-focusVisible': focusRing(c) },
          outlined: { borderColor: c.control, color: c.text },
        },
      },
      MuiIconButton: {
        styleOverrides: {
          root: {
            borderRadius: 6,
            color: c.secondary,
            '&:hover': { color: c.text },
            '&.Mui-focusVisible': focusRing(c),
          },
        },
      },
      MuiPaper: {
        defaultProps: { elevation: 0 },
        styleOverrides: {
          root: { backgroundImage: 'none' },
          rounded: { borderRadius: 8, border: `1px solid ${c.border}` },
        },
      },
      MuiPopover: { styleOverrides: { paper: floating } },
      MuiMenu: { styleOverrides: { paper: floating } },
      MuiMenuItem: { styleOverrides: { root: { minHeight: 36, fontSize: 14 } } },
      MuiDialog: { styleOverrides: { paper: { ...floating, borderRadius: 8 } } },
      MuiTextField: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: { backgroundColor: c.surface, fontSize: 14 },
          notchedOutline: { borderColor: c.control },
        },
      },
      MuiInputLabel: { styleOverrides: { root: { color: c.secondary } } },
      MuiFormHelperText: { styleOverrides: { root: { fontSize: 12, marginInline: 0 } } },
      MuiTooltip: {
        styleOverrides: { tooltip: { fontSize: 12, backgroundColor: c.text, color: c.page, borderRadius: 6 } },
      },
      MuiChip: { styleOverrides: { root: { borderRadius: 6, fontSize: 13 } } },
      MuiTableCell: { styleOverrides: { root: { borderColor: c.border } } },
      MuiLink: { styleOverrides: { root: { textDecorationColor: 'currentcolor' } } },
    },
  } as RaThemeOptions;
}

function focusRing({ accent }: Colours) {
  return { outline: `2px solid ${accent}`, outlineOffset: 2 };
}
