/**
 * The product's line icons, on a 24 × 24 grid, in the colour of the surrounding text. Decorative: the label beside an
 * icon carries the meaning.
 */

export const paths = {
  dashboard: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  machines:
    'M4 16V9.5A2.5 2.5 0 0 1 6.5 7h7A5.5 5.5 0 0 1 19 12.5V16M2.5 16h19M8 7V4h4v3M8.5 20a1.5 1.5 0 1 0-.01-3 ' +
    '1.5 1.5 0 0 0 .01 3zM15.5 20a1.5 1.5 0 1 0-.01-3 1.5 1.5 0 0 0 .01 3zM14.5 11h2',
  clients: 'M4 21V5l8-2v18M12 9h8v12M2.5 21h19M7 8h2M7 12h2M7 16h2M15 13h2M15 17h2',
  account: 'M12 12.5a4 4 0 1 0-.01-8 4 4 0 0 0 .01 8zM4.5 20.5c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
  users:
    'M9 12a3.5 3.5 0 1 0-.01-7A3.5 3.5 0 0 0 9 12zM2.5 19.5c.5-3.2 3.1-5 6.5-5s6 1.8 6.5 5M16 5.3a3.5 3.5 0 0 1 ' +
    '0 6.4M18 14.9c2 .6 3.2 2.2 3.5 4.6',
  admin: 'M12 3l7.5 3v5.5c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.5V6zM9 12l2.2 2.2L15.2 10',
  logout: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  language:
    'M12 21a9 9 0 1 0-.01-18A9 9 0 0 0 12 21zM3 12h18M12 3c2.5 2.6 3.8 5.6 3.8 9s-1.3 6.4-3.8 ' +
    '9c-2.5-2.6-3.8-5.6-3.8-9S9.5 5.6 12 3z',
  light:
    'M12 16a4 4 0 1 0-.01-8 4 4 0 0 0 .01 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 ' +
    '17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  collapse: 'M14 7l-5 5 5 5',
  expand: 'M10 7l5 5-5 5',
  down: 'M7 10l5 5 5-5',
  next: 'M9 6l6 6-6 6',
  move: 'M4 12h15M13 6l6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  search: 'M10.5 17a6.5 6.5 0 1 0-.01-13 6.5 6.5 0 0 0 .01 13zM15.3 15.3L20.5 20.5',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.3h.01',
  information: 'M12 21a9 9 0 1 0-.01-18A9 9 0 0 0 12 21zM12 11v5M12 8h.01',
  error: 'M12 21a9 9 0 1 0-.01-18A9 9 0 0 0 12 21zM9 9l6 6M15 9l-6 6',
  success: 'M12 21a9 9 0 1 0-.01-18A9 9 0 0 0 12 21zM8 12.3l2.8 2.7L16 9.5',
  show: 'M2.5 12s3.5-6.5 9.5-6.5 9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12zM12 15a3 3 0 1 0-.01-6 3 3 0 0 0 .01 6z',
  hide:
    'M4 4l16 16M9.5 5.8c.8-.2 1.6-.3 2.5-.3 6 0 9.5 6.5 9.5 6.5s-.9 1.6-2.5 3.2M6 7.5C3.7 9.2 2.5 12 2.5 ' +
    '12s3.5 6.5 9.5 6.5c1.6 0 3-.4 4.2-1',
  edit: 'M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19zM14 6.5l3.5 3.5',
  delete: 'M4 7h16M9 7V4.5h6V7M6 7l1 13h10l1-13M10 11v5.5M14 11v5.5',
  restore: 'M4 4v5h5M4.5 9a8 8 0 1 1-.5 4',
  refresh: 'M20 4v5h-5M4 20v-5h5M19.5 9A8 8 0 0 0 5 7.5M4.5 15A8 8 0 0 0 19 16.5',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15',
  upload: 'M12 15.5V4.5M7.5 9L12 4.5 16.5 9M4.5 20h15',
  print: 'M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z',
  bookmark: 'M6.5 4h11v16.5L12 16.5l-5.5 4z',
  groups: 'M4 5h16M8 9h12M8 13h12M4 17h16M8 21h12',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9',
  map: 'M9 4L3.5 6.5v13.5L9 17.5l6 2.5 5.5-2.5V4L15 6.5zM9 4v13.5M15 6.5V20',
  timeline: 'M4 6h9M8 12h12M4 18h7',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8 3.5V8M16 3.5V8',
  up: 'M7 14l5-5 5 5',
  previous: 'M15 6l-6 6 6 6',
  first: 'M18 6l-6 6 6 6M7 6v12',
  last: 'M6 6l6 6-6 6M17 6v12',
  ascending: 'M12 19V6M6.5 11L12 5.5 17.5 11',
  descending: 'M12 5v13M6.5 13l5.5 5.5 5.5-5.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4',
  report: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 17v-3M12 17v-6M15 17v-4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 10a1 1 0 1 0-.01 0',
  mail: 'M3.5 6h17v12h-17zM3.5 7l8.5 6 8.5-6',
  pin: 'M12 21c4-5 6-8 6-11a6 6 0 0 0-12 0c0 3 2 6 6 11zM12 12.5a2.5 2.5 0 1 0-.01-5 2.5 2.5 0 0 0 .01 5z',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2M14 18h2v2M18 18h2v2h-2z',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  empty: 'M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5',
  cleaning: 'M19.5 4.5l-7 7M10 9.5l4.5 4.5-2.5 2.5c-2.5 2.5-5.5 3.3-8.5 3.5.2-3 1-6 3.5-8.5zM6.5 20c.2-1.7.8-3 1.8-4',
  charging: 'M13 2.5L5 13.5h6l-1 8 8-11h-6z',
  parked: 'M8 20V4h5a4.5 4.5 0 0 1 0 9H8',
  online: 'M12 16a4 4 0 1 0-.01-8 4 4 0 0 0 .01 8z',
  half: 'M12 20a8 8 0 1 0-.01-16A8 8 0 0 0 12 20zM12 4v16M15 6v12M18 9v6',
  offline: 'M12 20a8 8 0 1 0-.01-16A8 8 0 0 0 12 20zM6.5 6.5l11 11',
  block: 'M12 21a9 9 0 1 0-.01-18A9 9 0 0 0 12 21zM5.7 5.7l12.6 12.6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5',
} as const;

export type IconName = keyof typeof paths;

/** An icon of `size` pixels (default 20). */
export const Icon = ({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) => (
  <svg
    className={className}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill={name === 'online' || name === 'charging' ? 'currentColor' : 'none'}
    stroke="currentColor"
    strokeWidth={name === 'more' || name === 'drag' ? 3 : size >= 32 ? 1.5 : 1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
);
