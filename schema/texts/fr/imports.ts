/** Files whose rows were taken in. */
import type { Texts } from '../types';

export const imports: Pick<Texts['resources'], 'imports'> = {
  imports: {
    name: 'Import',
    plural: 'Imports',
    counted: '%{smart_count} import |||| %{smart_count} imports',
    add: 'Importer un fichier',
    edit: 'Modifier l’import',
    added: 'Import ajouté',
    changed: 'Import modifié',
    deleted: 'Import supprimé',
    empty: 'Les fichiers que vous avez importés apparaissent ici.',
    fields: {
      file_name: 'Fichier',
      resource: 'Liste',
      user_id: 'Importé par',
      state: 'État',
      mode: 'Ce qui est fait',
      row_count: 'Lignes',
      create_count: 'Ajoutées',
      update_count: 'Modifiées',
      unchanged_count: 'Inchangées',
      error_count: 'Erronées',
      progress: 'Avancement',
      finished_at: 'Terminé',
    },
    choices: {
      state: {
        waiting: 'En attente',
        checking: 'Vérification en cours',
        checked: 'Vérifié',
        committing: 'Écriture en cours',
        done: 'Terminé',
        undoing: 'Annulation en cours',
        undone: 'Défait',
        failed: 'Échoué',
        cancelled: 'Interrompu',
      },
      mode: { upsert: 'Ajouter et modifier', create: 'Ajouter seulement', update: 'Modifier seulement' },
    },
    help: {},
    groups: { main: 'Import' },
  },
};
