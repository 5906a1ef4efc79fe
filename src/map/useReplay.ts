import { useEffect, useState } from 'react';

/** Duration of a replay in milliseconds, whatever the length of the track. */
const replayMs = 20_000;
const stepMs = 100;

/** A time that advances from start to end while playing, and stops at the end. */
export function useReplay(start: number, end: number) {
  const [moment, setMoment] = useState(end);
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
    if (moment >= end) setPlaying(false);
  }, [moment, end]);

  const toggle = () => {
    if (!isPlaying && moment >= end) setMoment(start);
    setPlaying(!isPlaying);
  };
  return { moment, setMoment, isPlaying, toggle };
}
