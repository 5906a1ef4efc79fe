/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Zapisany widok',
    plural: 'Zapisane widoki',
    counted: '%{smart_count} zapisany widok |||| %{smart_count} zapisane widoki |||| %{smart_count} zapisanych widoków',
    add: 'Zapisz widok',
    edit: 'Edytuj widok',
    added: 'Widok zapisany',
    changed: 'Widok zmieniony',
    deleted: 'Widok usunięty',
    empty: 'Tu pojawiają się filtry, kolumny i sortowanie zapisane na liście.',
    fields: {
      name: 'Nazwa',
      resource: 'Lista',
      query: 'Filtry i sortowanie',
      columns: 'Kolumny',
      widths: 'Szerokości kolumn',
      layout: 'Wyświetlanie',
      client_id: 'Udostępniony klientowi',
      role_id: 'Udostępniony roli',
      is_default: 'Otwieraj listę w tym widoku',
      user_id: 'Właściciel',
    },
    choices: { layout: { table: 'Tabela', map: 'Mapa' } },
    help: {
      client_id: 'Widok może otworzyć każda osoba u tego klienta.',
      role_id: 'Widok może otworzyć każda osoba z tą rolą.',
      is_default: 'Dla Ciebie lub dla wszystkich, którym jest udostępniony.',
    },
    groups: { main: 'Widok', shared: 'Udostępnianie', list: 'Lista' },
  },
};
