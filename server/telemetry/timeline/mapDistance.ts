/**
 * Distance of VDA 5050 vehicles, which send positions in metres on maps of their own, and the distance driven since the
 * last node. Pure.
 */

type Attributes = Readonly<Record<string, unknown>> | null;

const positionAttributes = ['agvPosition', 'mobileRobotPosition'];
const drivenAttribute = 'distanceDrivenSinceLastNode';
/** Attributes of `state` messages that yield a distance. Those of `visualization` jitter too often to be summed. */
export const distanceAttributes: readonly string[] = [
  drivenAttribute,
  ...positionAttributes.map((name) => `${name}.x`),
];

/** Whether a message with these attributes yields a distance. */
export const hasMapDistance = ({ kind, attributes }: { kind: string; attributes: object }): boolean =>
  kind === 'state' && distanceAttributes.some((name) => Object.hasOwn(attributes, name));

const numberAt = (attributes: Attributes, name: string): number | undefined => {
  const value = attributes?.[name];
  return typeof value === 'number' ? value : undefined;
};

/**
 * Metres from one message to the next: `straight` on a common map, and `driven` as the vehicle counts them. Both are
 * lower bounds: a straight line cuts corners, and the vehicle counts from its last node only.
 */
export function mapDistance(
  from: Attributes,
  to: Attributes,
): { straight: number | undefined; driven: number | undefined } {
  return { straight: straightDistance(from, to), driven: drivenDistance(from, to) };
}

function straightDistance(from: Attributes, to: Attributes): number | undefined {
  for (const name of positionAttributes) {
    const [x, y, endX, endY] = [
      ...[numberAt(from, `${name}.x`), numberAt(from, `${name}.y`)],
      ...[numberAt(to, `${name}.x`), numberAt(to, `${name}.y`)],
    ];
    const isSameMap = from?.[`${name}.mapId`] === to?.[`${name}.mapId`];
    if (isSameMap && x !== undefined && y !== undefined && endX !== undefined && endY !== undefined)
      return Math.hypot(endX - x, endY - y);
  }
  return undefined;
}

function drivenDistance(from: Attributes, to: Attributes): number | undefined {
  const [distanceBefore, distance] = [numberAt(from, drivenAttribute), numberAt(to, drivenAttribute)];
  if (distanceBefore === undefined || distance === undefined || distance < 0) return undefined;
  const isSameNode = ['lastNodeId', 'lastNodeSequenceId'].every((name) => from?.[name] === to?.[name]);
  return isSameNode && distance >= distanceBefore ? distance - distanceBefore : distance;
}
