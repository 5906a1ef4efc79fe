import { useQueryClient } from '@tanstack/react-query';
import { HttpError } from 'ra-core';
import { useRef } from 'react';
import { patchRow } from '../../providers/rows';

interface FloorPatch {
  /**
   * Rejects with the error if another user saved the floor after `begin`. The next call is then based on the version of
   * that user.
   */
  patchFloor: (body: object) => Promise<void>;
  /** Starts an edit based on the version of the floor that is on the page now. */
  begin: () => void;
}

/** Changes a floor without overwriting changes that other users save meanwhile. */
export function usePatchFloor({ id, version }: { id: number; version: number }): FloorPatch {
  const client = useQueryClient();
  const base = useRef(version);
  const patchFloor = async (body: object) => {
    try {
      await patchRow('floors', id, body, base.current);
    } catch (error) {
      const current =
        error instanceof HttpError ? (error.body as { current?: { version: number } } | null)?.current : undefined;
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
