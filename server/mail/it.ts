import type { MailTexts } from './types';

export const it: MailTexts = {
  greeting: 'Buongiorno %{name},',
  footer: 'Questo messaggio è stato inviato da Sweepline.',
  reset: {
    subject: 'La tua nuova password per Sweepline',
    text: 'È stata richiesta una nuova password per il tuo account. Apri questo link per sceglierne una:',
    button: 'Scegli una nuova password',
    code: 'Oppure inserisci questo codice nella pagina «Crea una nuova password»:',
    after:
      'Il link è valido per %{minutes} minuti, il codice per %{code_minutes} minuti; entrambi una sola volta. ' +
      'Se la richiesta non è tua, ignora questo messaggio.',
  },
  invitation: {
    subject: 'Invito a Sweepline',
    text: '%{inviter} ti invita su Sweepline come %{role}. Apri questo link per indicare nome e password:',
    button: 'Accetta l’invito',
    after: 'L’invito vale fino al %{date} e una sola volta.',
  },
  alert_fired: {
    subject: 'Allarme: %{summary}',
    text: 'La regola «%{rule}» ha rilevato: %{summary}, dal %{time}.',
    button: 'Apri l’allarme',
    after: 'Confermi lì l’allarme, così gli altri sanno che se ne sta occupando.',
  },
  alert_reminder: {
    subject: 'Promemoria: %{summary}',
    text: 'Nessuno ha ancora confermato questo allarme della regola «%{rule}»: %{summary}, dal %{time}.',
    button: 'Apri l’allarme',
    after: 'Confermi lì l’allarme e i promemoria cesseranno.',
  },
  alert_closed: {
    subject: 'Concluso: %{summary}',
    text: 'Questo allarme della regola «%{rule}» è chiuso: %{summary}, dal %{time}.',
    button: 'Apri l’allarme',
    after: 'Lì trova che cosa è successo e che cosa è stato scritto.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} scrive su %{summary} (%{time}): «%{report}»',
    button: 'Apri l’allarme',
    after: 'Confermi lì l’allarme, così gli altri sanno che se ne sta occupando.',
  },
  report: {
    subject: '%{report}: %{place}, %{period}',
    text:
      'Ecco il rapporto «%{report}» per %{place}, %{period}. Tutte le righe sono nel file Excel allegato; ' +
      'questi sono i totali:',
    button: 'Apri il rapporto',
    after:
      'Ricevi questo rapporto perché qualcuno in Sweepline te lo fa inviare regolarmente. Se non lo vuoi più, ' +
      'faglielo sapere.',
  },
  password_changed: {
    subject: 'La tua password è stata modificata',
    text:
      'La password del tuo account è stata modificata e tutte le altre sessioni sono terminate. Se la ' +
      'modifica non è tua, richiedi una nuova password e avvisa il tuo amministratore.',
  },
  second_factor_on: {
    subject: 'Accesso a due fattori attivato',
    text:
      'L’accesso al tuo account richiede ora anche un codice della tua app di autenticazione (accesso a due ' +
      'fattori). Se non sei stato tu, avvisa il tuo amministratore.',
  },
  second_factor_off: {
    subject: 'Accesso a due fattori disattivato',
    text:
      'L’accesso al tuo account non richiede più un codice (accesso a due fattori). Se non sei stato tu, ' +
      'cambia la password e avvisa il tuo amministratore.',
  },
  verify_email: {
    subject: 'Conferma il tuo indirizzo e-mail',
    text: 'Questo indirizzo è stato aggiunto al tuo account. Apri questo link per confermare che è tuo:',
    button: 'Conferma l’indirizzo',
    after: 'Il link vale %{hours} ore e funziona una volta sola. Se qui non hai un account, ignora questo messaggio.',
  },
  email_changed: {
    subject: 'Il tuo indirizzo e-mail è cambiato',
    text:
      'Un altro indirizzo e-mail è ora quello principale del tuo account; i messaggi arrivano lì. Se non ' +
      'sei stato tu, avvisa il tuo amministratore.',
  },
};
