/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Import',
    plural: 'Importy',
    counted: '%{smart_count} import |||| %{smart_count} importy |||| %{smart_count} importów',
    add: 'Importuj plik',
    edit: 'Edytuj import',
    added: 'Dodano import',
    changed: 'Zmieniono import',
    deleted: 'Usunięto import',
    empty: 'Tutaj pojawią się zaimportowane pliki.',
    fields: {
      file_name: 'Plik',
      resource: 'Lista',
      user_id: 'Zaimportowane przez',
      state: 'Stan',
      mode: 'Co się dzieje',
      row_count: 'Wiersze',
      create_count: 'Nowe',
      update_count: 'Zmienione',
      unchanged_count: 'Bez zmian',
      error_count: 'Błędne',
      progress: 'Postęp',
      finished_at: 'Zakończono',
    },
    choices: {
      state: {
        waiting: 'Oczekuje',
        checking: 'Sprawdzanie',
        checked: 'Sprawdzono',
        committing: 'Zapisywanie',
        done: 'Gotowe',
        undoing: 'Cofanie',
        undone: 'Cofnięto',
        failed: 'Nie powiodło się',
        cancelled: 'Anulowano',
      },
      mode: { upsert: 'Dodaj i zmień', create: 'Tylko dodaj', update: 'Tylko zmień' },
    },
    help: {},
    groups: { main: 'Import' },
  },
};
