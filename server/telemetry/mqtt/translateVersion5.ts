/**
 * Serves MQTT 5 in front of the broker, which speaks 3.1.1: translates the packets of one connection in both
 * directions.
 *
 * Sessions end with their connection; topic aliases, subscription identifiers and shared subscriptions are announced as
 * unavailable, so that version 5 needs hardly any state here. Wherever 3.1.1 can only close the connection, the client
 * gets a reason code first.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { generate, type Packet, parser } from 'mqtt-packet';

/** Reason codes (MQTT 5, section 2.4). */
export const reasonCodes = {
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  notAuthorized: 0x87,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  topicAliasInvalid: 0x94,
  subscriptionIdentifiersUnsupported: 0xa1,
} as const;
/** Reason code of a CONNACK by its return code in 3.1.1 (table 3.1). */
const connackReasons = [0x00, 0x84, 0x85, 0x88, 0x86, 0x87];
/** Reason code of a DISCONNECT after which the will must still be published. */
const disconnectWithWill = 0x04;

/** A packet that this translation does not support. */
class UnsupportedPacket extends Error {
  constructor(readonly reasonCode: number) {
    super('The packet is not served.');
  }
}

/** The connection as the broker sees it, in 3.1.1. `maxPacketSize` is announced; `reasonOf` names why it was closed. */
export function translateVersion5(
  socket: Socket,
  { maxPacketSize, reasonOf }: { maxPacketSize: number; reasonOf: (error: Error) => number },
): Duplex {
  let assignedClientIdentifier: string | undefined;
  let maxClientPacketSize = Number.POSITIVE_INFINITY;
  /** Whether the client has received its CONNACK. */
  let hasConnack = false;
  /** Topics per UNSUBSCRIBE in progress: UNSUBACK of version 5 has one code for each. */
  const topicCounts = new Map<number, number>();

  function toBroker(packet: Packet): Packet | undefined {
    switch (packet.cmd) {
      case 'connect': {
        const { properties, will, username, password } = packet;
        if (properties?.authenticationMethod) throw new UnsupportedPacket(reasonCodes.badAuthenticationMethod);
        maxClientPacketSize = properties?.maximumPacketSize ?? maxClientPacketSize;
        if (!packet.clientId) assignedClientIdentifier = randomUUID();
        return {
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: packet.clientId || (assignedClientIdentifier as string),
          keepalive: packet.keepalive ?? 0,
          // 3.1.1 allows no password without a user name.
          username: username ?? password?.toString(),
          password,
          ...(will && { will: { topic: will.topic, payload: will.payload, qos: will.qos, retain: will.retain } }),
        };
      }
      case 'publish':
        if (packet.properties?.topicAlias !== undefined) throw new UnsupportedPacket(reasonCodes.topicAliasInvalid);
        return { ...packet, properties: undefined };
      case 'subscribe':
        if (packet.properties?.subscriptionIdentifier !== undefined)
          throw new UnsupportedPacket(reasonCodes.subscriptionIdentifiersUnsupported);
        return {
          cmd: 'subscribe',
          messageId: packet.messageId,
          subscriptions: packet.subscriptions.map(({ topic, qos }) => ({ topic, qos })),
        };
      case 'unsubscribe':
        topicCounts.set(packet.messageId as number, packet.unsubscriptions.length);
        return { ...packet, properties: undefined };
      case 'disconnect':
        if (packet.reasonCode !== disconnectWithWill) return { cmd: 'disconnect' };
        socket.destroy();
        return undefined;
      case 'auth':
        throw new UnsupportedPacket(reasonCodes.protocolError);
      default:
        return { cmd: packet.cmd, messageId: packet.messageId } as Packet;
    }
  }

  function toClient(packet: Packet): Packet {
    switch (packet.cmd) {
      case 'connack': {
        hasConnack = true;
        const reasonCode = connackReasons[packet.returnCode ?? 0] ?? reasonCodes.unspecified;
        const properties = {
          sessionExpiryInterval: 0,
          maximumPacketSize: maxPacketSize,
          subscriptionIdentifiersAvailable: false,
          sharedSubscriptionAvailable: false,
          ...(assignedClientIdentifier && { assignedClientIdentifier }),
        };
        return { cmd: 'connack', reasonCode, sessionPresent: false, ...(reasonCode === 0 && { properties }) };
      }
      case 'suback':
        return {
          ...packet,
          granted: (packet.granted as number[]).map((code) => (code === 0x80 ? reasonCodes.notAuthorized : code)),
        };
      case 'unsuback': {
        const messageId = packet.messageId as number;
        const topics = topicCounts.get(messageId) ?? 1;
        topicCounts.delete(messageId);
        return { cmd: 'unsuback', messageId, granted: Array<number>(topics).fill(0) };
      }
      case 'puback':
      case 'pubrec':
      case 'pubrel':
      case 'pubcomp':
        return { ...packet, reasonCode: 0 };
      default:
        return packet;
    }
  }

  const printPacket = (packet: Packet) => generate(packet, { protocolVersion: 5 });
  const fromClient = parser({ protocolVersion: 5 });
  const fromBroker = parser({ protocolVersion: 4 });
  const connection = new Duplex({
    read: () => socket.resume(),
    write(bytes: Buffer, _encoding, done) {
      fromBroker.parse(bytes);
      if (socket.writableNeedDrain) socket.once('drain', () => done());
      else done();
    },
    final(done) {
      socket.end(() => done());
    },
    destroy(error, done) {
      if (error && socket.writable) socket.end(printPacket({ cmd: 'disconnect', reasonCode: reasonOf(error) }));
      socket.destroySoon();
      done(null);
    },
  });

  /** Ends the connection with a reason. */
  function refuse(error: unknown): void {
    const reasonCode = error instanceof UnsupportedPacket ? error.reasonCode : reasonCodes.malformed;
    socket.end(
      printPacket(
        hasConnack ? { cmd: 'disconnect', reasonCode } : { cmd: 'connack', reasonCode, sessionPresent: false },
      ),
    );
    connection.destroy();
  }

  fromClient.on('packet', (packet) => {
    try {
      const brokerPacket = toBroker(packet);
      if (brokerPacket && !connection.push(generate(brokerPacket, { protocolVersion: 4 }))) socket.pause();
    } catch (error) {
      refuse(error);
    }
  });
  fromClient.on('error', refuse);
  fromBroker.on('packet', (packet) => {
    const bytes = printPacket(toClient(packet));
    if (bytes.length <= maxClientPacketSize) socket.write(bytes);
  });
  socket
    .on('data', (bytes: Buffer) => fromClient.parse(bytes))
    .on('end', () => connection.push(null))
    .on('error', (error) => connection.destroy(error))
    .on('close', () => connection.destroy());
  return connection;
}
