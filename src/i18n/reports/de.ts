import type { UiTexts } from '../types';

/** The pages of reports. */
export const reporting: UiTexts['reporting'] = {
  title: 'Berichte',
  month: 'Monat',
  until: 'Fällig bis',
  detail: 'Zeilen je',
  view: 'Ansicht',
  print: 'Drucken',
  excel: 'Excel',
  send: 'Regelmäßig senden',
  scheduled: 'Regelmäßig',
  error: 'Der Bericht konnte nicht geladen werden',
  empty: 'Nichts zu berichten',
  empty_text:
    'Wählen Sie einen anderen Zeitraum, einen anderen Kunden, eine andere Flotte oder einen anderen Standort.',
  cut: 'Nur die ersten %{shown} von %{all} Zeilen werden gezeigt. Die Excel-Datei enthält alle.',
  kept: '%{done} von %{planned}',
  days_left: 'in %{smart_count} Tag |||| in %{smart_count} Tagen',
  days_over: '%{smart_count} Tag überfällig |||| %{smart_count} Tage überfällig',
};
