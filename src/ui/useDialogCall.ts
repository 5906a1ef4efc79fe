import { useState } from 'react';
import { useTranslate } from 'react-admin';

/** `run` runs the call of a dialog; `problem` is its error message in the user's language, for the dialog to show. */
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
