/**
 * Validates samples against the published JSON schemas of VDA 5050 (tests/samples), before tests rely on the samples.
 */
import fastify from 'fastify';
import published from '../samples/vda5050.json';

export const vdaVersions = ['2.0.0', '2.1.0', '3.0.0'] as const;
export type VdaVersion = (typeof vdaVersions)[number];
export type VdaTopic = keyof (typeof published)['2.0.0'];

const validator = fastify({
  ajv: { customOptions: { strict: false, coerceTypes: false, removeAdditional: false, useDefaults: false } },
});
for (const version of vdaVersions)
  for (const [topic, schema] of Object.entries(published[version]))
    validator.post(`/${version}/${topic}`, { schema: { body: schema } }, async () => 'valid');

/** Returns `valid`, or the errors that the schema reports. */
export async function validateVda(version: VdaVersion, topic: VdaTopic, message: unknown): Promise<string> {
  const response = await validator.inject({ method: 'POST', url: `/${version}/${topic}`, payload: message as object });
  return response.statusCode === 200 ? 'valid' : response.json<{ message: string }>().message;
}
