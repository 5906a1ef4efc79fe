import type { UiTexts } from '../types';

/** The pages of reports. */
export const reporting: UiTexts['reporting'] = {
  title: 'Raporty',
  month: 'Miesiąc',
  until: 'Termin do',
  detail: 'Wiersze wg',
  view: 'Widok',
  print: 'Drukuj',
  excel: 'Excel',
  send: 'Wysyłaj regularnie',
  scheduled: 'Regularne',
  error: 'Nie udało się wczytać raportu',
  empty: 'Brak danych do raportu',
  empty_text: 'Wybierz inny okres albo innego klienta, inną flotę lub lokalizację.',
  cut: 'Pokazano tylko pierwsze %{shown} z %{all} wierszy. Plik Excel zawiera wszystkie.',
  kept: '%{done} z %{planned}',
  days_left: 'za %{smart_count} dzień |||| za %{smart_count} dni |||| za %{smart_count} dni',
  days_over: '%{smart_count} dzień po terminie |||| %{smart_count} dni po terminie |||| %{smart_count} dni po terminie',
};
