import { useNotify } from 'ra-core';

/** Returns a function that runs `save` and shows a toast of its success or failure. Never rejects. */
export function useDownload(): (save: () => void | Promise<void>) => Promise<void> {
  const notify = useNotify();
  return async (save) => {
    try {
      await save();
      notify('toasts.downloaded', { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  };
}
