import { useQueryClient } from '@tanstack/react-query';
import { HttpError } from 'ra-core';
import { useRef } from 'react';
import { patchRow } from '../../providers/rows';

interface FloorPatch {
  /**
   * Rejects with the problem if somebody else saved the floor since `begin`; the next call is based on what they saved.
   */
  patchFloor: (body: object) => Promise<void>;
  /** Begins an edit that is based on the floor as shown now. */
  begin: () => void;
}

/** Changes a floor without overwriting what somebody else saved meanwhile. */
export function usePatchFloor({ id, version }: { id: number; version: number }): FloorPatch {
  const client = useQueryClient();
  const base = useRef(version);
  const patchFloor = async (body: object) => {
    try {
      await patchRow('floors', id, body, base.current);
    } catch (error) {
      const current =
        error instanceof HttpError ? (error.body as { current?: { version: number } }).current : undefined;
      if (current) base.current = current.version;
      throw error;
    } finally {
      await client.invalidateQueries({ queryKey: ['floors'] });
    }
  };
  return {
    patchFloor,
    begin: () => {
      base.current = version;
    },
  };
}
