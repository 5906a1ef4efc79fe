import { useEffect, useState } from 'react';

/** Duration of a replay in milliseconds, whatever the length of the track. */
const replayMs = 20_000;
const stepMs = 100;

/** A time that advances from start to end while playing, and stops at the end. */
export function useReplay(start: number, end: number) {
  const [instant, setMoment] = useState(end);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    setMoment(end);
    setPlaying(false);
  }, [end]);
  useEffect(() => {
    if (!isPlaying) return;
    const step = ((end - start) / replayMs) * stepMs;
    const timer = setInterval(() => setMoment((now) => Math.min(now + step, end)), stepMs);
    return () => clearInterval(timer);
  }, [isPlaying, start, end]);
  useEffect(() => {
    if (instant >= end) setPlaying(false);
  }, [instant, end]);

  const toggle = () => {
    if (!isPlaying && instant >= end) setMoment(start);
    setPlaying(!isPlaying);
  };
  return { moment: instant, setMoment, isPlaying, toggle };
}
