import french from 'ra-language-french';
import type { TranslationMessages } from 'react-admin';

const { ra } = french;

/** React-admin's official French texts, with the words that the rest of the interface uses and French spacing. */
export const fr: TranslationMessages = spaced({
  ra: {
    ...ra,
    action: {
      ...ra.action,
      edit: 'Modifier',
      remove: 'Retirer',
      remove_filter: 'Retirer ce filtre',
      remove_all_filters: 'Retirer tous les filtres',
    },
    page: {
      ...ra.page,
      access_denied: 'Accès refusé',
      not_found: 'Page introuvable',
      empty: 'Aucune entrée : %{name}.',
      invite: 'Voulez-vous en ajouter une ?',
    },
    input: {
      ...ra.input,
      file: {
        upload_several: 'Déposez des fichiers ici ou cliquez pour les choisir.',
        upload_single: 'Déposez un fichier ici ou cliquez pour le choisir.',
      },
      image: {
        upload_several: 'Déposez des images ici ou cliquez pour les choisir.',
        upload_single: 'Déposez une image ici ou cliquez pour la choisir.',
      },
      password: { toggle_visible: 'Masquer le mot de passe', toggle_hidden: 'Afficher le mot de passe' },
    },
    message: {
      ...ra.message,
      invalid_form: 'Le formulaire n’est pas valide. Vérifiez les erreurs',
      loading: 'Veuillez patienter',
    },
    auth: { ...ra.auth, email: 'E-mail' },
    saved_queries: {
      ...ra.saved_queries,
      new_dialog_title: 'Enregistrer la requête sous',
      remove_label_with_name: 'Retirer « %{name} » de mes requêtes',
      remove_message: 'Êtes-vous sûr(e) de vouloir supprimer cette requête de votre liste de requêtes ?',
    },
    validation: {
      ...ra.validation,
      email: 'Doit être une adresse e-mail valide',
      oneOf: 'Doit être l’une de ces valeurs : %{options}',
    },
  },
});

/**
 * Puts no-break spaces where French sets them, so that no line begins with a question mark, and the curved apostrophe.
 */
function spaced<T>(texts: T): T {
  if (typeof texts === 'string') {
    return texts
      .replaceAll("'", '’')
      .replaceAll('« ', '«\u00a0')
      .replace(/ (?=[?!:;»])/g, '\u00a0') as T;
  }
  return Object.fromEntries(
    Object.entries(texts as Record<string, unknown>).map(([key, text]) => [key, spaced(text)]),
  ) as T;
}
