/** The tabs of the account in order; each has its own page below `/account`. */
export const accountTabs = [
  'basic',
  'password',
  'notifications',
  'sessions',
  'tokens',
  'walls',
  'two_factor',
  'data',
] as const;
export type AccountTab = (typeof accountTabs)[number];

/** Path of a tab; the first tab has the path of the account itself. */
export const accountPath = (tab: AccountTab): string =>
  tab === 'basic' ? '/account' : `/account/${tab.replace('_', '-')}`;
