/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Zmiana',
    plural: 'Historia',
    counted: '%{smart_count} zmiana |||| %{smart_count} zmiany |||| %{smart_count} zmian',
    add: 'Dodaj zmianę',
    edit: 'Edytuj zmianę',
    added: 'Dodano zmianę',
    changed: 'Zmieniono zmianę',
    deleted: 'Usunięto zmianę',
    empty: 'Tutaj widać, co utworzono, zmieniono i usunięto.',
    fields: {
      at: 'Kiedy',
      user_id: 'Id użytkownika',
      user_name: 'Kto',
      as_user_id: 'W imieniu (id)',
      as_user_name: 'W imieniu',
      action: 'Czynność',
      entity: 'Co',
      record_id: 'Id wpisu',
      record_title: 'Wpis',
      field: 'Pole',
      changes: 'Zmiany',
    },
    choices: {
      action: {
        create: 'Utworzono',
        edit: 'Zmieniono',
        delete: 'Usunięto',
        restore: 'Przywrócono',
        remove: 'Usunięto na stałe',
        secret: 'Nowy sekret',
        impersonate: 'Podgląd jako ten użytkownik',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Pole', before: 'Przed', after: 'Po' } },
  },
};
