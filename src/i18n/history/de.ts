import type { UiTexts } from '../types';

/** What happened to rows: their history, the bin, changes by several people at once. */
export const history: UiTexts['history'] = {
  title: 'Verlauf',
  empty: 'Bisher wurden keine Änderungen festgehalten.',
  more: 'Mehr anzeigen',
  restore: 'Wiederherstellen',
  restore_title: 'Früheren Wert von „%{field}“ wiederherstellen?',
  restore_text: 'Er tritt an die Stelle des jetzigen Werts, als hätten Sie ihn eingegeben.',
  restore_button: 'Wert wiederherstellen',
  restored: 'Früherer Wert wiederhergestellt',
  hidden: 'Es wurden Felder geändert, die Sie nicht sehen dürfen.',
  as: '%{name} als %{as}',
  by_token: '%{name} mit dem Token „%{token}“',
  server: 'Sweepline',
  nothing: 'leer',
  open: 'Öffnen',
  before: 'Vorher',
  after: 'Nachher',
};

export const bin: UiTexts['bin'] = {
  remove: 'Endgültig entfernen',
  remove_title: '„%{name}“ endgültig entfernen?',
  remove_text: 'Danach ist keine Wiederherstellung möglich. Der Verlauf behält den letzten Stand.',
  removed: '%{name} endgültig entfernt',
  restore: 'Wiederherstellen',
  bulk_remove_title: '%{counted} endgültig entfernen?',
  bulk_remove_button: '%{counted} entfernen',
  bulk_removed: '%{counted} endgültig entfernt',
  bulk_restored: '%{counted} wiederhergestellt',
  empty: 'Der Papierkorb ist leer',
  empty_text: 'Gelöschtes bleibt hier und kann wiederhergestellt werden.',
  leave: 'Zurück zur Liste',
};

export const merge: UiTexts['merge'] = {
  changed_now: 'Gerade geändert',
  changed_by: '%{name} hat dies inzwischen geändert. Ihre Eingaben bleiben erhalten.',
  changed_somebody: 'Dies wurde inzwischen geändert. Ihre Eingaben bleiben erhalten.',
  compare: 'Vergleichen',
  title: 'Dies wurde inzwischen geändert',
  text: 'Wählen Sie für jedes Feld, welche Fassung gilt. Von Ihren Eingaben geht nichts verloren.',
  before: 'Vorher',
  mine: 'Ihre',
  theirs: 'Andere',
  save: 'Diese Fassung speichern',
  go_on: 'Weiter bearbeiten',
  both: 'Beide stimmen überein.',
};
