import type { UiTexts } from '../types';

/** What happened to rows: their history, the bin, changes by several people at once. */
export const history: UiTexts['history'] = {
  title: 'Historia',
  empty: 'Nie zapisano jeszcze żadnych zmian.',
  more: 'Pokaż więcej',
  restore: 'Przywróć',
  restore_title: 'Przywrócić wcześniejszą wartość pola „%{field}”?',
  restore_text: 'Zastąpi obecną wartość, tak jakby została wpisana ręcznie.',
  restore_button: 'Przywróć wartość',
  restored: 'Przywrócono wcześniejszą wartość',
  hidden: 'Zmieniono pola, do których nie masz wglądu.',
  as: '%{name} jako %{as}',
  by_token: '%{name} tokenem „%{token}”',
  server: 'Sweepline',
  nothing: 'puste',
  open: 'Otwórz',
  before: 'Przed',
  after: 'Po',
};

export const bin: UiTexts['bin'] = {
  remove: 'Usuń na stałe',
  remove_title: 'Usunąć „%{name}” na stałe?',
  remove_text: 'Później nie będzie można tego przywrócić. Historia zachowa ostatni stan.',
  removed: 'Usunięto na stałe: %{name}',
  restore: 'Przywróć',
  bulk_remove_title: 'Usunąć na stałe: %{counted}?',
  bulk_remove_button: 'Usuń: %{counted}',
  bulk_removed: 'Usunięto na stałe: %{counted}',
  bulk_restored: 'Przywrócono: %{counted}',
  empty: 'Kosz jest pusty',
  empty_text: 'Usunięte wpisy pozostają tutaj i można je przywrócić.',
  leave: 'Wróć do listy',
};

export const merge: UiTexts['merge'] = {
  changed_now: 'Zmieniono przed chwilą',
  changed_by: 'Zmiany w międzyczasie: %{name}. Wpisane dane są zachowane.',
  changed_somebody: 'W międzyczasie wprowadzono tu zmiany. Wpisane dane są zachowane.',
  compare: 'Porównaj',
  title: 'W międzyczasie ktoś to zmienił',
  text: 'Dla każdego pola wybierz obowiązującą wersję. Nic z wpisanych danych nie przepadnie.',
  before: 'Przedtem',
  mine: 'Twoja',
  theirs: 'Cudza',
  save: 'Zapisz tę wersję',
  go_on: 'Edytuj dalej',
  both: 'Obie są zgodne.',
};
