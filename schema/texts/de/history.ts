/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Änderung',
    plural: 'Verlauf',
    counted: '%{smart_count} Änderung |||| %{smart_count} Änderungen',
    add: 'Änderung hinzufügen',
    edit: 'Änderung bearbeiten',
    added: 'Änderung hinzugefügt',
    changed: 'Änderung bearbeitet',
    deleted: 'Änderung gelöscht',
    empty: 'Hier steht, was angelegt, geändert und gelöscht wurde.',
    fields: {
      at: 'Zeitpunkt',
      user_id: 'Benutzer-Id',
      user_name: 'Von',
      as_user_id: 'Handelnd als (Id)',
      as_user_name: 'Handelnd als',
      action: 'Aktion',
      entity: 'Was',
      record_id: 'Id des Eintrags',
      record_title: 'Eintrag',
      field: 'Feld',
      changes: 'Änderungen',
    },
    choices: {
      action: {
        create: 'Angelegt',
        edit: 'Geändert',
        delete: 'Gelöscht',
        restore: 'Wiederhergestellt',
        remove: 'Endgültig entfernt',
        secret: 'Neues Geheimnis',
        impersonate: 'Als dieser Benutzer angesehen',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Feld', before: 'Vorher', after: 'Nachher' } },
  },
};
