import { type ReactNode, Suspense, useEffect, useState } from 'react';

/**
 * Renders `children` after the page around them is painted: for expensive content that may appear later, such as charts
 * and maps. Shows the fallback until they have loaded.
 */
export const AfterPaint = ({ fallback = null, children }: { fallback?: ReactNode; children: ReactNode }) => {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    // A task queued in an animation frame runs once that frame is painted.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return <Suspense fallback={fallback}>{isPainted ? children : fallback}</Suspense>;
};
