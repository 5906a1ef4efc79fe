/**
 * Material UI's themes, light and dark, from the tokens. Plain values, since Material UI's CSS variables cost 70 ms at
 * start-up.
 */
import type { RaThemeOptions } from 'react-admin';
import { type ColorMode, type ColorTokens, colorTokens, fontFamily, measureTokens } from './tokens';

const { radius, radiusControl } = measureTokens;

export const lightTheme = themeOf('light');
export const darkTheme = themeOf('dark');

function themeOf(mode: ColorMode): RaThemeOptions {
  const colors = colorTokens[mode];
  const floating = { boxShadow: colors.shadow };
  return {
    palette: {
      mode,
      primary: { main: colors.accent, dark: colors.accentStrong, contrastText: colors.onAccent },
      secondary: { main: colors.accent, dark: colors.accentStrong, contrastText: colors.onAccent },
      error: { main: colors.danger, contrastText: colors.onDanger },
      warning: { main: colors.warning, contrastText: colors.onAccent },
      success: { main: colors.success, contrastText: colors.onAccent },
      info: { main: colors.accent, contrastText: colors.onAccent },
      text: { primary: colors.text, secondary: colors.secondary, disabled: colors.secondary },
      background: { default: colors.page, paper: colors.surface },
      divider: colors.border,
      action: { hover: colors.hover, selected: colors.selected, active: colors.secondary },
    },
    shape: { borderRadius: radiusControl },
    spacing: 8,
    typography: {
      fontFamily,
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
          root: {
            borderRadius: radiusControl,
            minHeight: 36,
            paddingInline: 14,
            '&.Mui-focusVisible': focusRing(colors),
          },
          outlined: { borderColor: colors.control, color: colors.text },
        },
      },
      MuiIconButton: {
        styleOverrides: {
          root: {
            borderRadius: radiusControl,
            color: colors.secondary,
            '&:hover': { color: colors.text },
            '&.Mui-focusVisible': focusRing(colors),
          },
        },
      },
      MuiPaper: {
        defaultProps: { elevation: 0 },
        styleOverrides: {
          root: { backgroundImage: 'none' },
          rounded: { borderRadius: radius, border: `1px solid ${colors.border}` },
        },
      },
      MuiPopover: { defaultProps: { transitionDuration: 0 }, styleOverrides: { paper: floating } },
      MuiMenu: { styleOverrides: { paper: floating } },
      MuiMenuItem: { styleOverrides: { root: { minHeight: 36, fontSize: 14 } } },
      MuiDialog: {
        // Our stylesheet animates dialogs, since it respects reduced motion.
        defaultProps: { maxWidth: false, transitionDuration: 0 },
        styleOverrides: { paper: { ...floating, margin: 16, borderRadius: radius } },
      },
      MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: colors.scrim } } } },
      MuiTextField: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small' } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: { backgroundColor: colors.surface, fontSize: 14 },
          notchedOutline: { borderColor: colors.control },
        },
      },
      MuiInputLabel: { styleOverrides: { root: { color: colors.secondary } } },
      MuiFormHelperText: { styleOverrides: { root: { fontSize: 12, marginInline: 0 } } },
      MuiTooltip: {
        styleOverrides: {
          tooltip: { fontSize: 12, backgroundColor: colors.text, color: colors.page, borderRadius: radiusControl },
        },
      },
      MuiChip: { styleOverrides: { root: { borderRadius: radiusControl, fontSize: 13 } } },
      MuiTableCell: { styleOverrides: { root: { borderColor: colors.border } } },
      MuiInputBase: { styleOverrides: { input: { '&::placeholder': { color: colors.secondary, opacity: 1 } } } },
      MuiLink: { styleOverrides: { root: { textDecorationColor: 'currentcolor' } } },
    },
  } as RaThemeOptions;
}

function focusRing({ accent }: ColorTokens) {
  return { outline: `2px solid ${accent}`, outlineOffset: 2 };
}
