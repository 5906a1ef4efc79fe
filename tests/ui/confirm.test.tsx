/** Questions before work that is hard to undo. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore } from 'react-admin';
import { afterEach, expect, test } from 'vitest';
import { createI18nProvider } from '../../src/providers/i18n';
import { ConfirmProvider, useConfirm } from '../../src/ui/ConfirmProvider';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

test('each question gets an answer, also one that another question replaces', async () => {
  const answers: boolean[] = [];
  const Button = () => {
    const confirm = useConfirm();
    const ask = () =>
      void confirm({ title: 'Delete?', description: 'It is gone then.', button: 'Delete it' }).then((isConfirmed) =>
        answers.push(isConfirmed),
      );
    return (
      <button type="button" onClick={ask}>
        Ask
      </button>
    );
  };
  render(
    <AdminContext store={memoryStore()} i18nProvider={await createI18nProvider('en')}>
      <ConfirmProvider>
        <Button />
      </ConfirmProvider>
    </AdminContext>,
  );
  const button = screen.getByRole('button', { name: 'Ask' });
  fireEvent.click(button);
  fireEvent.click(button);
  await expect.poll(() => answers).toEqual([false]);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete it' }));
  await expect.poll(() => answers).toEqual([false, true]);
});
