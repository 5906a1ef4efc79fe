/** The product's logo, followed by its name unless `hasName` is false. */
export const Logo = ({ hasName = true, size = 32 }: { hasName?: boolean; size?: number }) => (
  <span className="sl-logo">
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0b7a75" />
      <path d="M7 12h13a4 4 0 0 1 0 8H12" fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      <circle cx="9" cy="20" r="2.5" fill="#fff" />
    </svg>
    {hasName && <span>Sweepline</span>}
  </span>
);
