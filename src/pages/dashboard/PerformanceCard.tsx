import type { ReactNode } from 'react';
import { useIsMobile } from '../../ui/useIsMobile';

interface PerformanceCardProps {
  title: string;
  className: string;
  children: ReactNode;
}

/** A card of tables about the fleet's performance. On a phone it is closed until tapped to keep the page short. */
export const PerformanceCard = ({ title, className, children }: PerformanceCardProps) =>
  useIsMobile() ? (
    <details className={`sl-performance__card sl-performance__fold ${className}`}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  ) : (
    <section className={`sl-performance__card ${className}`}>
      <h3>{title}</h3>
      {children}
    </section>
  );
