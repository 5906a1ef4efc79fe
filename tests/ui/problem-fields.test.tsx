/** The form of a problem report: marks of required inputs, and photos. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { createI18nProvider } from '../../src/providers/i18n';
import { ProblemFields } from '../../src/resources/machines/ProblemFields';
import { shrinkPhoto } from '../../src/ui/shrinkPhoto';

vi.mock('../../src/ui/shrinkPhoto', () => ({ shrinkPhoto: vi.fn() }));

afterEach(cleanup);

test('kind and description are marked as required, the rest is not', async () => {
  const i18nProvider = await createI18nProvider('en');
  render(
    <AdminContext i18nProvider={i18nProvider}>
      <ProblemFields hasEmail send={async () => {}} />
    </AdminContext>,
  );
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send report' }).disabled).toBe(true);
  const labels = [...document.querySelectorAll('legend, .sl-field label, .sl-check')].map((label) => label.textContent);
  expect(labels.filter((label) => label?.endsWith(' *'))).toEqual(['What is wrong? *', 'Describe it in a sentence *']);
});

test('a photo is not lost if another one is added while it is being redrawn', async () => {
  const redraw: (() => void)[] = [];
  vi.mocked(shrinkPhoto).mockImplementation(
    (photo) => new Promise((resolve) => redraw.push(() => resolve(photo as File))),
  );
  Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: () => {} });
  const i18nProvider = await createI18nProvider('en');
  render(
    <AdminContext i18nProvider={i18nProvider}>
      <ProblemFields send={async () => {}} />
    </AdminContext>,
  );
  const input = document.querySelector('input[type="file"]') as HTMLInputElement;
  const add = (name: string) => fireEvent.change(input, { target: { files: [new File(['x'], name)] } });
  add('a.jpg');
  add('b.jpg');
  for (const finish of redraw) await act(async () => finish());
  expect(document.querySelectorAll('.sl-photos li')).toHaveLength(2);
});
