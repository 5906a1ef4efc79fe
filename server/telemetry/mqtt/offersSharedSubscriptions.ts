/** Asks a broker whether it speaks MQTT 5 and offers shared subscriptions. */
import { randomUUID } from 'node:crypto';
import type { IClientOptions, MqttClient } from 'mqtt';

type Connect = (url: string, options: IClientOptions) => MqttClient;

/** Return code of 3.1.1, and reason code of 5, for an unknown protocol version. */
const unsupportedVersion = [1, 0x84];

/** Resolves to `undefined` if the broker cannot be reached or refuses the connection for another reason. */
export async function offersSharedSubscriptions(
  connect: Connect,
  url: string,
  clientId: string,
): Promise<boolean | undefined> {
  const answer = await tryVersion(connect, url, { clientId, protocolVersion: 5 });
  if (answer !== 'closed') return answer;
  // Old brokers may close the connection without a response.
  return (await tryVersion(connect, url, { clientId, protocolVersion: 4 })) === true ? false : undefined;
}

async function tryVersion(
  connect: Connect,
  url: string,
  { clientId, protocolVersion }: { clientId: string; protocolVersion: 4 | 5 },
): Promise<boolean | undefined | 'closed'> {
  const connection = connect(url, {
    clientId: `${clientId}-${randomUUID().slice(0, 8)}`,
    protocolVersion,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: 5000,
  });
  try {
    return await new Promise((resolve) => {
      connection.on('connect', ({ properties }) => resolve(properties?.sharedSubscriptionAvailable !== false));
      connection.on('error', (error) => {
        const code = 'code' in error ? Number(error.code) : undefined;
        if (code !== undefined && code > 0) resolve(unsupportedVersion.includes(code) ? false : undefined);
        else if (Number.isNaN(code)) resolve(undefined);
      });
      connection.on('close', () => resolve('closed'));
    });
  } finally {
    await connection.endAsync(true);
  }
}
