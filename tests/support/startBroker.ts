/** An external MQTT broker without access control. */
import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import { freePort } from './startCluster';

export interface ExternalBroker {
  url: string;
  port: number;
  /** Ids of connected clients. */
  clients(): string[];
  close(): Promise<void>;
}

export async function startBroker(): Promise<ExternalBroker> {
  const broker = await Aedes.createBroker();
  const server = createServer(broker.handle);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const connectedClients = new Set<string>();
  broker
    .on('clientReady', ({ id }) => connectedClients.add(id))
    .on('clientDisconnect', ({ id }) => connectedClients.delete(id));
  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    clients: () => [...connectedClients],
    close: async () => {
      const serverClose = new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => broker.close(resolve));
      await serverClose;
    },
  };
}
