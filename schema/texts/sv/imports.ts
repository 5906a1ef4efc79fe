/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Import',
    plural: 'Importer',
    counted: '%{smart_count} import |||| %{smart_count} importer',
    add: 'Importera fil',
    edit: 'Redigera import',
    added: 'Importen har lagts till',
    changed: 'Importen har ändrats',
    deleted: 'Importen har tagits bort',
    empty: 'Filer som du har importerat visas här.',
    fields: {
      file_name: 'Fil',
      resource: 'Lista',
      user_id: 'Importerad av',
      state: 'Läge',
      mode: 'Vad som görs',
      row_count: 'Rader',
      create_count: 'Nya',
      update_count: 'Ändrade',
      unchanged_count: 'Oförändrade',
      error_count: 'Felaktiga',
      progress: 'Förlopp',
      finished_at: 'Avslutad',
    },
    choices: {
      state: {
        waiting: 'Väntar',
        checking: 'Kontrolleras',
        checked: 'Kontrollerad',
        committing: 'Skrivs',
        done: 'Klar',
        undoing: 'Återtas',
        undone: 'Återtagen',
        failed: 'Misslyckades',
        cancelled: 'Avbruten',
      },
      mode: { upsert: 'Lägg till och ändra', create: 'Bara lägg till', update: 'Bara ändra' },
    },
    help: {},
    groups: { main: 'Import' },
  },
};
