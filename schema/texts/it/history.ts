/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Modifica',
    plural: 'Cronologia',
    counted: '%{smart_count} modifica |||| %{smart_count} modifiche',
    add: 'Aggiungi modifica',
    edit: 'Cambia modifica',
    added: 'Modifica aggiunta',
    changed: 'Modifica cambiata',
    deleted: 'Modifica eliminata',
    empty: 'Qui appare ciò che viene creato, modificato ed eliminato.',
    fields: {
      at: 'Quando',
      user_id: 'Id utente',
      user_name: 'Da',
      as_user_id: 'Per conto di (id)',
      as_user_name: 'Per conto di',
      action: 'Azione',
      entity: 'Che cosa',
      record_id: 'Id della scheda',
      record_title: 'Scheda',
      field: 'Campo',
      changes: 'Modifiche',
    },
    choices: {
      action: {
        create: 'Creazione',
        edit: 'Modifica',
        delete: 'Eliminazione',
        restore: 'Ripristino',
        remove: 'Rimozione definitiva',
        secret: 'Nuovo segreto',
        impersonate: 'Visualizzato come questo utente',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Campo', before: 'Prima', after: 'Dopo' } },
  },
};
