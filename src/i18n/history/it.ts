import type { UiTexts } from '../types';

/** What happened to rows: their history, the bin, changes by several people at once. */
export const history: UiTexts['history'] = {
  title: 'Cronologia',
  empty: 'Finora non è stata annotata nessuna modifica.',
  more: 'Mostra altro',
  restore: 'Ripristina',
  restore_title: 'Ripristinare il valore precedente di «%{field}»?',
  restore_text: 'Sostituisce il valore attuale, come se lo avessi digitato tu.',
  restore_button: 'Ripristina il valore',
  restored: 'Valore precedente ripristinato',
  hidden: 'Sono stati modificati campi che non puoi vedere.',
  as: '%{name} come %{as}',
  by_token: '%{name} con il token «%{token}»',
  server: 'Sweepline',
  nothing: 'vuoto',
  open: 'Apri',
  before: 'Prima',
  after: 'Dopo',
};

export const bin: UiTexts['bin'] = {
  remove: 'Rimuovi definitivamente',
  remove_title: 'Rimuovere definitivamente «%{name}»?',
  remove_text: 'Dopo non sarà più possibile ripristinarlo. La cronologia ne conserva il contenuto.',
  removed: '%{name}: rimozione definitiva eseguita',
  restore: 'Ripristina',
  bulk_remove_title: 'Rimuovere definitivamente %{counted}?',
  bulk_remove_button: 'Rimuovi %{counted}',
  bulk_removed: 'Rimozione definitiva: %{counted}',
  bulk_restored: 'Ripristino: %{counted}',
  empty: 'Il cestino è vuoto',
  empty_text: 'Ciò che viene eliminato resta qui e si può ripristinare.',
  leave: 'Torna all’elenco',
};

export const merge: UiTexts['merge'] = {
  changed_now: 'Modificato ora',
  changed_by: '%{name} ha modificato questa scheda nel frattempo. Quello che hai digitato resta.',
  changed_somebody: 'Questa scheda è stata modificata nel frattempo. Quello che hai digitato resta.',
  compare: 'Confronta',
  title: 'Qualcuno ha modificato questa scheda nel frattempo',
  text: 'Scegli per ogni campo quale versione vale. Nulla di ciò che hai digitato va perso.',
  before: 'Prima',
  mine: 'La tua',
  theirs: 'L’altra',
  save: 'Salva questa versione',
  go_on: 'Continua a modificare',
  both: 'Entrambe concordano.',
};
