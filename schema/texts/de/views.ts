/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Gespeicherte Ansicht',
    plural: 'Gespeicherte Ansichten',
    counted: '%{smart_count} gespeicherte Ansicht |||| %{smart_count} gespeicherte Ansichten',
    add: 'Ansicht speichern',
    edit: 'Ansicht bearbeiten',
    added: 'Ansicht gespeichert',
    changed: 'Ansicht geändert',
    deleted: 'Ansicht gelöscht',
    empty: 'Hier erscheinen Filter, Spalten und Sortierungen, die Sie in einer Liste speichern.',
    fields: {
      name: 'Name',
      resource: 'Liste',
      query: 'Filter und Sortierung',
      columns: 'Spalten',
      widths: 'Spaltenbreiten',
      layout: 'Darstellung',
      client_id: 'Geteilt mit dem Kunden',
      role_id: 'Geteilt mit der Rolle',
      is_default: 'Liste mit dieser Ansicht öffnen',
      user_id: 'Gehört',
    },
    choices: { layout: { table: 'Tabelle', map: 'Karte' } },
    help: {
      client_id: 'Alle bei diesem Kunden können die Ansicht öffnen.',
      role_id: 'Alle mit dieser Rolle können die Ansicht öffnen.',
      is_default: 'Für Sie, oder für alle, mit denen sie geteilt ist.',
    },
    groups: { main: 'Ansicht', shared: 'Geteilt mit', list: 'Liste' },
  },
};
