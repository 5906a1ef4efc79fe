/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Import',
    plural: 'Importe',
    counted: '%{smart_count} Import |||| %{smart_count} Importe',
    add: 'Datei importieren',
    edit: 'Import bearbeiten',
    added: 'Import hinzugefügt',
    changed: 'Import geändert',
    deleted: 'Import gelöscht',
    empty: 'Hier erscheinen Dateien, die Sie importiert haben.',
    fields: {
      file_name: 'Datei',
      resource: 'Liste',
      user_id: 'Importiert von',
      state: 'Stand',
      mode: 'Was geschieht',
      row_count: 'Zeilen',
      create_count: 'Neu',
      update_count: 'Geändert',
      unchanged_count: 'Unverändert',
      error_count: 'Fehlerhaft',
      progress: 'Fortschritt',
      finished_at: 'Beendet',
    },
    choices: {
      state: {
        waiting: 'Wartet',
        checking: 'Wird geprüft',
        checked: 'Geprüft',
        committing: 'Wird geschrieben',
        done: 'Fertig',
        undoing: 'Wird zurückgenommen',
        undone: 'Zurückgenommen',
        failed: 'Fehlgeschlagen',
        cancelled: 'Abgebrochen',
      },
      mode: { upsert: 'Hinzufügen und ändern', create: 'Nur hinzufügen', update: 'Nur ändern' },
    },
    help: {},
    groups: { main: 'Import' },
  },
};
