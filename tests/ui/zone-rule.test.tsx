/** The sentence of an alert rule about zones in all languages, and its preview. */
import { QueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { FormProvider, useForm } from 'react-hook-form';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import { createI18nProvider } from '../../src/providers/i18n';
import { RuleCondition } from '../../src/resources/alert_rules/RuleCondition';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));

afterEach(() => {
  cleanup();
  vi.resetAllMocks();
});

const floor = { id: 5, name: 'Ground floor' };
const preview = {
  count: 1,
  days: 30,
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-31T00:00:00.000Z',
  machines: 0,
  zones: 4,
  firings: [
    {
      at: '2026-01-20T00:00:00.000Z',
      until: null,
      place: 'Clinic',
      machines: [],
      zones: [{ id: 8, name: 'Foyer', floor }],
    },
  ],
};

let values: () => Record<string, unknown>;
function Form() {
  const form = useForm({ defaultValues: { client_id: 1, metric: 'offline', hold_time: 1800, view_id: 9 } });
  values = form.getValues;
  return (
    <FormProvider {...form}>
      <RuleCondition />
    </FormProvider>
  );
}

async function renderRule(language: (typeof languageCodes)[number]) {
  const i18nProvider = await createI18nProvider(language);
  const queryClient = new QueryClient();
  return render(
    <MemoryRouter>
      <CoreAdminContext i18nProvider={i18nProvider} queryClient={queryClient}>
        <Form />
      </CoreAdminContext>
    </MemoryRouter>,
  );
}

test.each(languageCodes)('the rule names metric and days in %s, and starts with three days', async (language) => {
  call.mockResolvedValue({ data: preview });
  const { container } = await renderRule(language);
  const [metric] = (await screen.findAllByRole('combobox')) as [HTMLElement];
  fireEvent.change(metric, { target: { value: 'zone_uncleaned' } });
  const sentence = container.querySelector('.sl-rule-sentence') as HTMLElement;
  const days = within(sentence).getByRole('spinbutton');
  expect(days).toHaveProperty('value', '3');
  expect([days.getAttribute('min'), days.getAttribute('max')]).toEqual(['1', '365']);
  expect(within(sentence).getAllByRole('combobox')).toHaveLength(1);
  expect(sentence.textContent).not.toMatch(/%\{|alerting\./);
  expect(values()).toMatchObject({ metric: 'zone_uncleaned', threshold: 3, hold_time: 0, view_id: null });
  fireEvent.change(days, { target: { value: '5' } });
  expect(values().threshold).toBe(5);
});

test('the preview counts zones and links to their floor', async () => {
  call.mockResolvedValue({ data: preview });
  await renderRule('en');
  const [metric] = (await screen.findAllByRole('combobox')) as [HTMLElement];
  fireEvent.change(metric, { target: { value: 'zone_uncleaned' } });
  const link = await screen.findByRole('link', { name: 'Foyer' }, { timeout: 10_000 });
  expect(link.getAttribute('href')).toContain('/floors/5');
  expect(link.closest('li')?.textContent).toContain('Foyer · Ground floor, Clinic');
  expect(screen.getByText(/would have fired 1 time on 4 zones/)).toBeDefined();
});

test('the choice of a metric keeps the focus', async () => {
  call.mockResolvedValue({ data: preview });
  await renderRule('en');
  const [metric] = (await screen.findAllByRole('combobox')) as [HTMLElement];
  metric.focus();
  fireEvent.change(metric, { target: { value: 'zone_uncleaned' } });
  expect(document.activeElement).toBe(metric);
});

test('the preview still counts zones until the one of another metric arrives', async () => {
  call.mockResolvedValue({ data: preview });
  await renderRule('en');
  const choose = async (value: string) =>
    fireEvent.change((await screen.findAllByRole('combobox'))[0] as HTMLElement, { target: { value } });
  await choose('zone_uncleaned');
  await screen.findByText(/on 4 zones/, {}, { timeout: 10_000 });
  await choose('offline');
  expect(screen.getByText(/on 4 zones/)).toBeDefined();
});
