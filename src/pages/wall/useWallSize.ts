import { useEffect, useState } from 'react';

/** The landscape screen in pixels for which walls are designed. */
const [long, short] = [1920, 1080];

/** Zoom factor that makes the design fill a screen, and the size of the screen in pixels of the design. */
export function wallSizeOf(width: number, height: number): { zoom: number; width: number; height: number } {
  const [minWidth, minHeight] = height > width ? [short, long] : [long, short];
  const zoom = Math.min(width / minWidth, height / minHeight);
  return { zoom, width: width / zoom, height: height / zoom };
}

/** Zoom factor and size of a wall in this window; updates when the window is resized. */
export function useWallSize() {
  const [size, setSize] = useState(() => wallSizeOf(window.innerWidth, window.innerHeight));
  useEffect(() => {
    const measure = () => setSize(wallSizeOf(window.innerWidth, window.innerHeight));
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return size;
}
