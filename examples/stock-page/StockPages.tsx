/** Fleets with react-admin's own components, as in its documentation. */
import {
  AutocompleteInput,
  Create,
  Datagrid,
  Edit,
  List,
  NumberField,
  NumberInput,
  ReferenceField,
  ReferenceInput,
  required,
  SearchInput,
  SimpleForm,
  TextField,
  TextInput,
} from 'react-admin';

const filters = [<SearchInput key="q" source="q" alwaysOn />];
const toList = () => 'stock/fleets';

export const StockList = () => (
  // A store key of its own: the product's list of fleets stores its state under the name of the resource.
  <List resource="fleets" storeKey="stock.fleets" filters={filters} sort={{ field: 'name', order: 'ASC' }}>
    <Datagrid rowClick={(id) => `/stock/fleets/${id}`} bulkActionButtons={false}>
      <TextField source="name" />
      <ReferenceField source="client_id" reference="clients" link={false} />
      <NumberField source="working_radius" />
    </Datagrid>
  </List>
);

const Inputs = () => (
  <>
    <TextInput source="name" validate={required()} />
    <ReferenceInput source="client_id" reference="clients">
      <AutocompleteInput validate={required()} />
    </ReferenceInput>
    <NumberInput source="working_radius" />
  </>
);

/** Undoable, react-admin's default: sent when the toast closes. */
export const StockEdit = () => (
  <Edit resource="fleets" redirect={toList}>
    <SimpleForm>
      <Inputs />
    </SimpleForm>
  </Edit>
);

export const StockCreate = () => (
  <Create resource="fleets" redirect={toList}>
    <SimpleForm>
      <Inputs />
    </SimpleForm>
  </Create>
);
