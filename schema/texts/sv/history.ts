/** Who changed what. */
import type { Texts } from '../types';

export const history: Pick<Texts['resources'], 'audit'> = {
  audit: {
    name: 'Ändring',
    plural: 'Historik',
    counted: '%{smart_count} ändring |||| %{smart_count} ändringar',
    add: 'Lägg till ändring',
    edit: 'Redigera ändring',
    added: 'Ändringen har lagts till',
    changed: 'Ändringen har ändrats',
    deleted: 'Ändringen har tagits bort',
    empty: 'Här visas vad som har skapats, ändrats och tagits bort.',
    fields: {
      at: 'Tidpunkt',
      user_id: 'Användar-id',
      user_name: 'Av',
      as_user_id: 'Agerar som (id)',
      as_user_name: 'Agerar som',
      action: 'Åtgärd',
      entity: 'Vad',
      record_id: 'Postens id',
      record_title: 'Post',
      field: 'Fält',
      changes: 'Ändringar',
    },
    choices: {
      action: {
        create: 'Skapad',
        edit: 'Ändrad',
        delete: 'Borttagen',
        restore: 'Återställd',
        remove: 'Borttagen för gott',
        secret: 'Ny hemlighet',
        impersonate: 'Visad som denna användare',
      },
    },
    help: {},
    groups: {},
    records: { changes: { field: 'Fält', before: 'Före', after: 'Efter' } },
  },
};
