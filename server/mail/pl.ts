import type { MailTexts } from './types';

export const pl: MailTexts = {
  greeting: 'Dzień dobry, %{name},',
  footer: 'Wiadomość wysłana przez Sweepline.',
  reset: {
    subject: 'Nowe hasło do Sweepline',
    text: 'Ktoś poprosił o nowe hasło do Twojego konta. Otwórz ten link, aby je ustawić:',
    button: 'Ustaw nowe hasło',
    code: 'Albo wpisz ten kod na stronie „Utwórz nowe hasło”:',
    after:
      'Link jest ważny %{minutes} min, kod %{code_minutes} min; oba działają tylko raz. Jeśli to nie Ty, ' +
      'zignoruj tę wiadomość.',
  },
  invitation: {
    subject: 'Zaproszenie do Sweepline',
    text: '%{inviter} zaprasza Cię do Sweepline w roli: %{role}. Otwórz ten link, aby podać imię, nazwisko i hasło:',
    button: 'Przyjmij zaproszenie',
    after: 'Zaproszenie jest ważne do %{date} i działa tylko raz.',
  },
  alert_fired: {
    subject: 'Alarm: %{summary}',
    text: 'Reguła „%{rule}” wykryła: %{summary}, od %{time}.',
    button: 'Otwórz alarm',
    after: 'Potwierdź tam alarm, aby inni wiedzieli, że ktoś się tym zajmuje.',
  },
  alert_reminder: {
    subject: 'Przypomnienie: %{summary}',
    text: 'Nikt jeszcze nie potwierdził tego alarmu reguły „%{rule}”: %{summary}, od %{time}.',
    button: 'Otwórz alarm',
    after: 'Potwierdź tam alarm, a przypomnienia ustaną.',
  },
  alert_closed: {
    subject: 'Zakończono: %{summary}',
    text: 'Ten alarm reguły „%{rule}” jest zamknięty: %{summary}, od %{time}.',
    button: 'Otwórz alarm',
    after: 'Zobaczysz tam, co się stało i co o tym napisano.',
  },
  problem_reported: {
    subject: '%{summary}',
    text: '%{reporter} pisze o %{summary} (%{time}): „%{report}”',
    button: 'Otwórz alarm',
    after: 'Potwierdź tam alarm, aby inni wiedzieli, że ktoś się tym zajmuje.',
  },
  report: {
    subject: '%{report}: %{place}, %{period}',
    text: 'Oto raport „%{report}” dla: %{place}, %{period}. Wszystkie wiersze zawiera załączony plik Excel; oto sumy:',
    button: 'Otwórz raport',
    after:
      'Otrzymujesz ten raport, ponieważ ktoś w Sweepline regularnie go do Ciebie wysyła. Jeśli już go nie ' +
      'potrzebujesz, poinformuj tę osobę.',
  },
  password_changed: {
    subject: 'Twoje hasło zostało zmienione',
    text:
      'Hasło do Twojego konta zostało zmienione, a wszystkie inne sesje zakończone. Jeśli to nie Ty, poproś ' +
      'o nowe hasło i powiadom administratora.',
  },
  second_factor_on: {
    subject: 'Logowanie dwuetapowe włączone',
    text:
      'Logowanie na Twoje konto wymaga teraz także kodu z aplikacji uwierzytelniającej (logowanie ' +
      'dwuetapowe). Jeśli to nie Ty, powiadom administratora.',
  },
  second_factor_off: {
    subject: 'Logowanie dwuetapowe wyłączone',
    text:
      'Logowanie na Twoje konto nie wymaga już kodu (logowanie dwuetapowe). Jeśli to nie Ty, zmień hasło i ' +
      'powiadom administratora.',
  },
  verify_email: {
    subject: 'Potwierdź swój adres e-mail',
    text: 'Ten adres dodano do Twojego konta. Otwórz ten link, aby potwierdzić, że należy do Ciebie:',
    button: 'Potwierdź adres',
    after: 'Link jest ważny przez %{hours} godz. i działa jeden raz. Jeśli nie masz tu konta, zignoruj tę wiadomość.',
  },
  email_changed: {
    subject: 'Twój adres e-mail został zmieniony',
    text:
      'Głównym adresem Twojego konta jest teraz inny adres e-mail; tam trafiają wiadomości. Jeśli to nie ' +
      'Ty, powiadom administratora.',
  },
};
