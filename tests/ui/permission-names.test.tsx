// @vitest-environment jsdom
/** Names of permissions in lists: in the user's language until an Admin renames them. */
import { render } from '@testing-library/react';
import { I18nContextProvider } from 'ra-core';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { permissions } from '../../schema/entities/permissions';
import { Identity } from '../../src/crud/list/ListRow';
import { loadMessages } from '../../src/i18n/loadMessages';

test('a list of permissions names them in the language of the user', async () => {
  const messages = await loadMessages('de');
  const nameOf = (code_name: string, name: string) =>
    render(
      <I18nContextProvider value={polyglotI18nProvider(() => messages, 'de')}>
        <MemoryRouter>
          <Identity entity={permissions} record={{ id: 1, name, code_name }} source="name" open />
        </MemoryRouter>
      </I18nContextProvider>,
    ).container.textContent;
  expect(nameOf('alert_rules.create', 'Create alert rules')).toBe('Alarmregeln: Anlegen');
  expect(nameOf('alerts.acknowledge', 'Acknowledge alerts')).toBe('Alarme: Alarme bestätigen');
  expect(nameOf('alert_rules.create', 'Make rules')).toBe('Make rules');
  expect(nameOf('docks.open', 'Open docks')).toBe('Open docks');
});
