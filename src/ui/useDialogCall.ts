import { useState } from 'react';
import { useTranslate } from 'react-admin';

/** Runs the call of a dialog and keeps its error message, which the dialog shows. */
export function useDialogCall() {
  const translate = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setProblem(translate(message, { _: message }));
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, problem, setProblem };
}
