/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Importazione',
    plural: 'Importazioni',
    counted: '%{smart_count} importazione |||| %{smart_count} importazioni',
    add: 'Importa file',
    edit: 'Modifica importazione',
    added: 'Importazione aggiunta',
    changed: 'Importazione modificata',
    deleted: 'Importazione eliminata',
    empty: 'Qui compaiono i file che hai importato.',
    fields: {
      file_name: 'File',
      resource: 'Elenco',
      user_id: 'Importato da',
      state: 'Stato',
      mode: 'Che cosa si fa',
      row_count: 'Righe',
      create_count: 'Aggiunte',
      update_count: 'Modificate',
      unchanged_count: 'Invariate',
      error_count: 'Errate',
      progress: 'Avanzamento',
      finished_at: 'Terminata',
    },
    choices: {
      state: {
        waiting: 'In attesa',
        checking: 'Controllo in corso',
        checked: 'Controllata',
        committing: 'Scrittura in corso',
        done: 'Completata',
        undoing: 'Ritiro in corso',
        undone: 'Ritirata',
        failed: 'Non riuscita',
        cancelled: 'Annullata',
      },
      mode: { upsert: 'Aggiungi e modifica', create: 'Solo aggiungi', update: 'Solo modifica' },
    },
    help: {},
    groups: { main: 'Importazione' },
  },
};
