/** Logo on the API's documentation page. */
const shapes =
  '<rect width="32" height="32" rx="8" fill="#0b7a75"/><path d="M7 12h13a4 4 0 0 1 0 8H12" fill="none" ' +
  'stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="9" cy="20" r="2.5" fill="#fff"/>';

export const logoMark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>`;

export const logo =
  `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="40" viewBox="0 0 144 32" ` +
  `role="img" aria-label="Sweepline">${shapes}<text x="42" y="22" fill="#fff" font-family="Inter, system-ui, ` +
  `sans-serif" font-size="18" font-weight="600">Sweepline</text></svg>`;
