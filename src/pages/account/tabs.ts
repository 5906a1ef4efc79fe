/** The tabs of the account, in order; each is a page of its own below `/account`. */
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

/** The first tab is the account itself. */
export const accountPath = (tab: AccountTab): string =>
  tab === 'basic' ? '/account' : `/account/${tab.replace('_', '-')}`;
