import type { UiTexts } from '../types';

/** The pages of reports. */
export const reporting: UiTexts['reporting'] = {
  title: 'Rapports',
  month: 'Mois',
  until: 'À faire avant le',
  detail: 'Lignes par',
  view: 'Vue',
  print: 'Imprimer',
  excel: 'Excel',
  send: 'Envoyer régulièrement',
  scheduled: 'Réguliers',
  error: 'Le rapport n’a pas pu être chargé',
  empty: 'Rien à signaler',
  empty_text: 'Choisissez une autre période, un autre client, une autre flotte ou un autre site.',
  cut: 'Seules les %{shown} premières lignes sur %{all} sont affichées. Le fichier Excel les contient toutes.',
  kept: '%{done} sur %{planned}',
  days_left: 'dans %{smart_count} jour |||| dans %{smart_count} jours',
  days_over: '%{smart_count} jour de retard |||| %{smart_count} jours de retard',
};
