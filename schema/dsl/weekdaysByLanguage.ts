/** Names and abbreviations of the weekdays per language, Monday first. */
const dayNames: readonly string[][] = [
  // en
  ['mo mon monday', 'tu tue tues tuesday', 'we wed wednesday', 'th thu thur thurs thursday', 'fr fri friday'].concat(
    'sa sat saturday',
    'su sun sunday',
  ),
  // de
  ['mo mon montag', 'di die dienstag', 'mi mit mittwoch', 'do don donnerstag', 'fr fre freitag'].concat(
    'sa sam samstag sonnabend',
    'so son sonntag',
  ),
  // fr
  ['lu lun lundi', 'ma mar mardi', 'me mer mercredi', 'je jeu jeudi', 've ven vendredi', 'sa sam samedi'].concat(
    'di dim dimanche',
  ),
  // it
  ['lu lun lunedì lunedi', 'ma mar martedì martedi', 'me mer mercoledì mercoledi', 'gi gio giovedì giovedi'].concat(
    've ven venerdì venerdi',
    'sa sab sabato',
    'do dom domenica',
  ),
  // pl
  ['pn pon poniedziałek', 'wt wto wtorek', 'śr sr śro środa', 'cz czw czwartek', 'pt pią piątek'].concat(
    'so sob sobota',
    'nd ndz nie niedz niedziela',
  ),
  // sv
  ['må mån mån måndag', 'ti tis tisdag', 'on ons onsdag', 'to tor tors torsdag', 'fr fre fredag'].concat(
    'lö lör lördag',
    'sö sön söndag',
  ),
];

/** Weekdays (0 is Monday) by name and abbreviation, one map per language. */
export const weekdaysByLanguage = dayNames.map(
  (days) => new Map(days.flatMap((names, day) => names.split(' ').map((name): [string, number] => [name, day]))),
);
