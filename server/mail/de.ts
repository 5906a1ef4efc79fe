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
      'Der Link gilt %{minutes} Minuten, der Code %{code_minutes} Minuten; beide nur einmal. Falls Sie das ' +
      'nicht waren, können Sie diese Nachricht ignorieren.',
  },
  invitation: {
    subject: 'Sie sind zu Sweepline eingeladen',
    text:
      '%{inviter} lädt Sie als %{role} zu Sweepline ein. Öffnen Sie diesen Link, um Namen und Passwort ' +
      'festzulegen:',
    button: 'Einladung annehmen',
    after: 'Die Einladung gilt bis %{date} und nur einmal.',
  },
  alert_fired: {
    subject: 'Alarm: %{summary}',
    text: 'Die Regel „%{rule}“ hat gefunden: %{summary}, seit %{time}.',
    button: 'Alarm öffnen',
    after: 'Bestätigen Sie den Alarm dort, damit andere wissen, dass Sie sich kümmern.',
  },
  alert_reminder: {
    subject: 'Erinnerung: %{summary}',
    text: 'Diesen Alarm der Regel „%{rule}“ hat noch niemand bestätigt: %{summary}, seit %{time}.',
    button: 'Alarm öffnen',
    after: 'Bestätigen Sie den Alarm dort, dann enden die Erinnerungen.',
  },
  alert_closed: {
    subject: 'Vorbei: %{summary}',
    text: 'Dieser Alarm der Regel „%{rule}“ ist geschlossen: %{summary}, seit %{time}.',
    button: 'Alarm öffnen',
    after: 'Dort sehen Sie, was geschehen ist und was dazu geschrieben wurde.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} schreibt zu %{summary} (%{time}): „%{report}“',
    button: 'Alarm öffnen',
    after: 'Bestätigen Sie den Alarm dort, damit andere wissen, dass Sie sich kümmern.',
  },
  report: {
    subject: '%{report}: %{place}, %{period}',
    text:
      'Hier ist der Bericht „%{report}“ für %{place}, %{period}. Alle Zeilen stehen in der angehängten ' +
      'Excel-Datei; dies sind die Summen:',
    button: 'Bericht öffnen',
    after:
      'Sie erhalten diesen Bericht, weil ihn jemand bei Sweepline regelmäßig an Sie senden lässt. Möchten Sie ' +
      'ihn nicht mehr, geben Sie dort Bescheid.',
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    text:
      'Das Passwort Ihres Kontos wurde geändert, alle anderen Sitzungen wurden beendet. Falls Sie das nicht ' +
      'waren, fordern Sie ein neues Passwort an und informieren Sie Ihre Administration.',
  },
  second_factor_on: {
    subject: 'Zwei-Faktor-Anmeldung eingeschaltet',
    text:
      'Die Anmeldung an Ihrem Konto verlangt jetzt auch einen Code Ihrer Authentifizierungs-App ' +
      '(Zwei-Faktor-Anmeldung). Falls Sie das nicht waren, sagen Sie es Ihrem Administrator.',
  },
  second_factor_off: {
    subject: 'Zwei-Faktor-Anmeldung ausgeschaltet',
    text:
      'Die Anmeldung an Ihrem Konto verlangt keinen Code mehr (Zwei-Faktor-Anmeldung). Falls Sie das nicht ' +
      'waren, ändern Sie Ihr Passwort und sagen Sie es Ihrem Administrator.',
  },
  verify_email: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: 'Diese Adresse wurde zu Ihrem Konto hinzugefügt. Öffnen Sie diesen Link, um zu bestätigen, dass es Ihre ist:',
    button: 'Adresse bestätigen',
    after:
      'Der Link gilt %{hours} Stunden und funktioniert einmal. Wenn Sie hier kein Konto haben, beachten Sie ' +
      'diese Nachricht nicht.',
  },
  email_changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text:
      'Eine andere E-Mail-Adresse ist jetzt die primäre Ihres Kontos; Nachrichten gehen dorthin. Falls Sie ' +
      'das nicht waren, sagen Sie es Ihrem Administrator.',
  },
};
