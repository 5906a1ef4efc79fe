/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Modification',
    plural: 'Historique',
    counted: '%{smart_count} modification |||| %{smart_count} modifications',
    add: 'Ajouter une modification',
    edit: 'Modifier la modification',
    added: 'Modification ajoutée',
    changed: 'Modification enregistrée',
    deleted: 'Modification supprimée',
    empty: 'Ce qui est créé, modifié et supprimé apparaît ici.',
    fields: {
      at: 'Quand',
      user_id: 'Id de l’utilisateur',
      user_name: 'Par',
      as_user_id: 'Agissant comme (id)',
      as_user_name: 'Agissant comme',
      action: 'Opération',
      entity: 'Objet',
      record_id: 'Id de la fiche',
      record_title: 'Fiche',
      field: 'Champ',
      changes: 'Modifications',
    },
    choices: {
      action: {
        create: 'Création',
        edit: 'Modification',
        delete: 'Suppression',
        restore: 'Restauration',
        remove: 'Suppression définitive',
        secret: 'Nouveau secret',
        impersonate: 'Consulté en tant que cet utilisateur',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Champ', before: 'Avant', after: 'Après' } },
  },
};
