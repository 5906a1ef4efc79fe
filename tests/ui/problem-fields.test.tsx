/** The form of a problem report marks what keeps its button disabled. */
import { cleanup, render, screen } from '@testing-library/react';
import { AdminContext } from 'react-admin';
import { afterEach, expect, test } from 'vitest';
import { createI18nProvider } from '../../src/providers/i18n';
import { ProblemFields } from '../../src/resources/machines/ProblemFields';

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
