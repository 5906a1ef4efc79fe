import type { UiTexts } from '../types';

/** The pages of reports. */
export const reporting: UiTexts['reporting'] = {
  title: 'Rapporti',
  month: 'Mese',
  until: 'In scadenza entro',
  detail: 'Righe per',
  view: 'Vista',
  print: 'Stampa',
  excel: 'Excel',
  send: 'Invia regolarmente',
  scheduled: 'Periodici',
  error: 'Impossibile caricare il rapporto',
  empty: 'Niente da riportare',
  empty_text: 'Scegli un altro periodo, un altro cliente, un’altra flotta o un’altra sede.',
  cut: 'Sono mostrate solo le prime %{shown} di %{all} righe. Il file Excel le contiene tutte.',
  kept: '%{done} di %{planned}',
  days_left: 'tra %{smart_count} giorno |||| tra %{smart_count} giorni',
  days_over: '%{smart_count} giorno di ritardo |||| %{smart_count} giorni di ritardo',
};
