import type { UiTexts } from '../types';

/** The pages of reports. */
export const reporting: UiTexts['reporting'] = {
  title: 'Rapporter',
  month: 'Månad',
  until: 'Förfaller till',
  detail: 'Rader per',
  view: 'Vy',
  print: 'Skriv ut',
  excel: 'Excel',
  send: 'Skicka regelbundet',
  scheduled: 'Regelbundna',
  error: 'Rapporten kunde inte laddas',
  empty: 'Inget att rapportera',
  empty_text: 'Välj en annan period, kund, flotta eller plats.',
  cut: 'Bara de första %{shown} av %{all} rader visas. Excelfilen innehåller alla.',
  kept: '%{done} av %{planned}',
  days_left: 'om %{smart_count} dag |||| om %{smart_count} dagar',
  days_over: '%{smart_count} dag försenad |||| %{smart_count} dagar försenad',
};
