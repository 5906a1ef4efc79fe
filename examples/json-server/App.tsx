/** A stock react-admin on Sweepline: its own components, its own data provider, no code of ours. */
import jsonServerProvider from 'ra-data-json-server';
import * as ra from 'react-admin';

const { fetchJson } = ra.fetchUtils;
const tokenKey = 'example.token';

/** Sends the token. Forms take one message per field; a 422 has a list of them. */
async function request(url: string, options: ra.fetchUtils.Options = {}) {
  try {
    const user = { authenticated: true, token: `Bearer ${sessionStorage.getItem(tokenKey)}` };
    return await fetchJson(url, { ...options, user });
  } catch (error) {
    for (const [field, [sentence]] of Object.entries<string[]>((error as ra.HttpError).body?.errors ?? {}))
      (error as ra.HttpError).body.errors[field] = sentence;
    throw error;
  }
}

const authProvider: ra.AuthProvider = {
  async login({ username: email, password }: { username: string; password: string }) {
    const { json } = await fetchJson('/api/v1/login', { method: 'POST', body: JSON.stringify({ email, password }) });
    sessionStorage.setItem(tokenKey, json.token);
  },
  logout: async () => sessionStorage.removeItem(tokenKey),
  checkAuth: async () => (sessionStorage.getItem(tokenKey) ? undefined : Promise.reject()),
  checkError: async ({ status }: ra.HttpError) => (status === 401 ? Promise.reject() : undefined),
};

const MachineList = () => (
  <ra.List filters={[<ra.SearchInput key="q" source="q" alwaysOn />]} sort={{ field: 'serial_number', order: 'ASC' }}>
    <ra.Datagrid>
      <ra.TextField source="serial_number" />
      <ra.ReferenceField source="fleet_id" reference="fleets" />
      <ra.TextField source="price" />
    </ra.Datagrid>
  </ra.List>
);

const MachineForm = () => (
  <ra.SimpleForm>
    <ra.TextInput source="serial_number" />
    <ra.ReferenceInput source="fleet_id" reference="fleets">
      <ra.SelectInput validate={ra.required()} />
    </ra.ReferenceInput>
    <ra.ReferenceInput source="type_id" reference="types">
      <ra.SelectInput validate={ra.required()} />
    </ra.ReferenceInput>
    <ra.TextInput source="note" multiline />
  </ra.SimpleForm>
);

const MachineEdit = () => (
  <ra.Edit mutationMode="pessimistic">
    <MachineForm />
  </ra.Edit>
);
const MachineCreate = () => (
  <ra.Create>
    <MachineForm />
  </ra.Create>
);

export const App = () => (
  <ra.Admin dataProvider={jsonServerProvider('/api/json-server/v1', request)} authProvider={authProvider}>
    <ra.Resource name="machines" list={MachineList} edit={MachineEdit} create={MachineCreate} />
    <ra.Resource name="fleets" recordRepresentation="name" />
    <ra.Resource name="types" recordRepresentation="name" />
  </ra.Admin>
);
