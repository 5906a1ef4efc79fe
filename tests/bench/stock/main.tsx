/**
 * React-admin's own DataTable on the product's data provider, without customization. The product's table is compared
 * with it.
 */

import { Admin, DataTable, DateField, List, ReferenceField, Resource, TextField } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { dataProvider } from '../../../src/providers/dataProvider';

const Machines = () => (
  <List
    perPage={25}
    sort={{ field: 'serial_number', order: 'ASC' }}
    queryOptions={{ meta: { include: ['type', 'location', 'fleet', 'tracker'] } }}
  >
    <DataTable>
      <DataTable.Col source="serial_number" />
      <DataTable.Col source="status" />
      <DataTable.Col source="type_id">
        <ReferenceField source="type_id" reference="types">
          <TextField source="name" />
        </ReferenceField>
      </DataTable.Col>
      <DataTable.Col source="location_id">
        <ReferenceField source="location_id" reference="locations">
          <TextField source="name" />
        </ReferenceField>
      </DataTable.Col>
      <DataTable.Col source="fleet_id">
        <ReferenceField source="fleet_id" reference="fleets">
          <TextField source="name" />
        </ReferenceField>
      </DataTable.Col>
      <DataTable.Col source="tracker_id">
        <ReferenceField source="tracker_id" reference="trackers">
          <TextField source="refno" />
        </ReferenceField>
      </DataTable.Col>
      <DataTable.NumberCol source="battery" />
      <DataTable.Col source="last_seen">
        <DateField source="last_seen" showTime />
      </DataTable.Col>
    </DataTable>
  </List>
);

createRoot(document.getElementById('root') as HTMLElement).render(
  <Admin dataProvider={dataProvider} disableTelemetry>
    <Resource name="machines" list={Machines} />
  </Admin>,
);
