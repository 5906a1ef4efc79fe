import { useEffect, useState } from 'react';

/** Duration of a replay in milliseconds, whatever the length of the track. */
const replayMs = 20_000;
const stepMs = 100;

/**
 * A time in milliseconds that advances from start to end while playing, and stops at the end. Initially it is the end.
 */
export function useReplay(startTime: number, endTime: number) {
  const [moment, setMoment] = useState(endTime);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    setMoment(endTime);
    setPlaying(false);
  }, [endTime]);
  useEffect(() => {
    if (!isPlaying) return;
    const step = ((endTime - startTime) / replayMs) * stepMs;
    const timer = setInterval(() => setMoment((now) => Math.min(now + step, endTime)), stepMs);
    return () => clearInterval(timer);
  }, [isPlaying, startTime, endTime]);
  useEffect(() => {
    if (isPlaying && moment >= endTime) setPlaying(false);
  }, [isPlaying, moment, endTime]);

  const toggle = () => {
    if (!isPlaying && moment >= endTime) setMoment(startTime);
    setPlaying(!isPlaying);
  };
  return { moment, setMoment, isPlaying, toggle };
}
