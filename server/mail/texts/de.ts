import type { MailTexts } from './types';

export const de: MailTexts = {
  greeting: 'Guten Tag %{name},',
  footer: 'Diese Nachricht wurde von Sweepline gesendet.',
  reset: {
    subject: 'Ihr neues Passwort für Sweepline',
    text: 'Für Ihr Konto wurde ein neues Passwort angefordert. Öffnen Sie diesen Link, um eines zu wählen:',
    button: 'Neues Passwort wählen',
    code: 'Oder geben Sie diesen Code auf der Seite „Neues Passwort festlegen“ ein:',
    after:
      'Der Link gilt %{minutes} Minuten, der Code %{code_minutes} Minuten; beide nur einmal. Falls Sie das nicht waren, können Sie diese Nachricht ignorieren.',
  },
  invitation: {
    subject: 'Sie sind zu Sweepline eingeladen',
    text: '%{inviter} lädt Sie als %{role} zu Sweepline ein. Öffnen Sie diesen Link, um Namen und Passwort festzulegen:',
    button: 'Einladung annehmen',
    after: 'Die Einladung gilt bis %{date} und nur einmal.',
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    text: 'Das Passwort Ihres Kontos wurde geändert, alle anderen Sitzungen wurden beendet. Falls Sie das nicht waren, fordern Sie ein neues Passwort an und informieren Sie Ihre Administration.',
  },
};
