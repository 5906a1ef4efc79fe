/** Lists as people like to see them. */
import type { Texts } from '../types';

export const views: Pick<Texts['resources'], 'saved_views'> = {
  saved_views: {
    name: 'Vue enregistrée',
    plural: 'Vues enregistrées',
    counted: '%{smart_count} vue enregistrée |||| %{smart_count} vues enregistrées',
    add: 'Enregistrer la vue',
    edit: 'Modifier la vue',
    added: 'Vue enregistrée',
    changed: 'Vue modifiée',
    deleted: 'Vue supprimée',
    empty: 'Les filtres, colonnes et tris que vous enregistrez dans une liste apparaissent ici.',
    fields: {
      name: 'Nom',
      resource: 'Liste',
      query: 'Filtres et tri',
      columns: 'Colonnes',
      widths: 'Largeurs des colonnes',
      layout: 'Affichage',
      client_id: 'Partagée avec le client',
      role_id: 'Partagée avec le rôle',
      is_default: 'Ouvrir la liste avec cette vue',
      user_id: 'Propriétaire',
    },
    choices: { layout: { table: 'Tableau', map: 'Carte' } },
    help: {
      client_id: 'Toutes les personnes de ce client peuvent ouvrir la vue.',
      role_id: 'Toutes les personnes ayant ce rôle peuvent ouvrir la vue.',
      is_default: 'Pour vous, ou pour tous ceux avec qui elle est partagée.',
    },
    groups: { main: 'Vue', shared: 'Partage', list: 'Liste' },
  },
};
