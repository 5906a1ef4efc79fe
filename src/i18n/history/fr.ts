import type { UiTexts } from '../types';

/** What happened to rows: their history, the bin, changes by several people at once. */
export const history: UiTexts['history'] = {
  title: 'Historique',
  empty: 'Aucune modification n’a été notée jusqu’ici.',
  more: 'Afficher plus',
  restore: 'Restaurer',
  restore_title: 'Rétablir la valeur précédente de « %{field} » ?',
  restore_text: 'Elle remplace la valeur actuelle, comme si vous l’aviez saisie.',
  restore_button: 'Rétablir la valeur',
  restored: 'Valeur précédente rétablie',
  hidden: 'Des champs que vous ne pouvez pas voir ont été modifiés.',
  as: '%{name} en tant que %{as}',
  by_token: '%{name} par le jeton « %{token} »',
  server: 'Sweepline',
  nothing: 'vide',
  open: 'Ouvrir',
  before: 'Avant',
  after: 'Après',
};

export const bin: UiTexts['bin'] = {
  remove: 'Supprimer définitivement',
  remove_title: 'Supprimer définitivement « %{name} » ?',
  remove_text: 'Aucune restauration ne sera plus possible. L’historique en garde le contenu.',
  removed: '%{name} : suppression définitive effectuée',
  restore: 'Restaurer',
  bulk_remove_title: 'Supprimer définitivement %{counted} ?',
  bulk_remove_button: 'Supprimer %{counted}',
  bulk_removed: 'Suppression définitive : %{counted}',
  bulk_restored: 'Restauration : %{counted}',
  empty: 'La corbeille est vide',
  empty_text: 'Ce qui est supprimé reste ici et peut être restauré.',
  leave: 'Retour à la liste',
};

export const merge: UiTexts['merge'] = {
  changed_now: 'Modifié à l’instant',
  changed_by: '%{name} a modifié cette fiche entre-temps. Votre saisie est conservée.',
  changed_somebody: 'Cette fiche a été modifiée entre-temps. Votre saisie est conservée.',
  compare: 'Comparer',
  title: 'Quelqu’un a modifié cette fiche entre-temps',
  text: 'Choisissez pour chaque champ la version à retenir. Rien de votre saisie n’est perdu.',
  before: 'Avant',
  mine: 'La vôtre',
  theirs: 'L’autre',
  save: 'Enregistrer cette version',
  go_on: 'Continuer la saisie',
  both: 'Les deux concordent.',
};
