/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Vista salvata',
    plural: 'Viste salvate',
    counted: '%{smart_count} vista salvata |||| %{smart_count} viste salvate',
    add: 'Salva vista',
    edit: 'Modifica vista',
    added: 'Vista salvata',
    changed: 'Vista modificata',
    deleted: 'Vista eliminata',
    empty: 'Qui compaiono filtri, colonne e ordinamenti salvati in un elenco.',
    fields: {
      name: 'Nome',
      resource: 'Elenco',
      query: 'Filtri e ordinamento',
      columns: 'Colonne',
      widths: 'Larghezze delle colonne',
      layout: 'Visualizzazione',
      client_id: 'Condivisa con il cliente',
      role_id: 'Condivisa con il ruolo',
      is_default: 'Apri l’elenco con questa vista',
      user_id: 'Proprietario',
    },
    choices: { layout: { table: 'Tabella', map: 'Mappa' } },
    help: {
      client_id: 'Tutte le persone di questo cliente possono aprire la vista.',
      role_id: 'Tutte le persone con questo ruolo possono aprire la vista.',
      is_default: 'Per te, o per tutti coloro con cui è condivisa.',
    },
    groups: { main: 'Vista', shared: 'Condivisione', list: 'Elenco' },
  },
};
