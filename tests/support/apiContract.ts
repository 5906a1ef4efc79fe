/**
 * Checks every 2xx response of the API tests against the OpenAPI document. The document is built in process, and each
 * operation is compiled once per worker.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ModelEntity } from '../../server/context/services';
import { buildOpenapi } from '../../server/openapi/buildOpenapi';

type Json = Record<string, unknown>;
interface Operation {
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Json;
}
interface Route {
  method: string;
  path: string;
  pattern: RegExp;
  parameters: number;
  operation: Operation;
}

export interface SentResponse {
  status: number;
  type: string;
  text: string;
  isPrecognition: boolean;
}

export interface Contract {
  /** @throws an error that names the operation and the difference */
  check(method: string, url: string, response: SentResponse): void;
}

const contracts = new Map<string, Contract>();

/** The contract of a server with these entities; cached per document and worker. */
export function contractOf(entities: readonly ModelEntity[]): Contract {
  const document = buildOpenapi(entities, '') as unknown as ApiDocument;
  const key = JSON.stringify(document);
  const contract = contracts.get(key) ?? buildContract(document, entities);
  contracts.set(key, contract);
  return contract;
}

const formats = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
};

function buildContract(document: ApiDocument, entities: readonly ModelEntity[]): Contract {
  const ajv = new Ajv2020({ strict: false, formats, inlineRefs: false });
  ajv.addSchema({ $id: 'api', components: document.components });
  const routes = routesOf(document.paths, entities);
  const checks = new Map<string, ValidateFunction>();

  return {
    check(method, url, { status, type, text, isPrecognition }) {
      if (status < 200 || status > 299 || isPrecognition) return;
      const path = url.replace(/^\/?(api\/v1\/)?/, '/').replace(/\?.*$/, '');
      const route = routes.find((candidate) => candidate.method === method && candidate.pattern.test(path));
      if (!route) return;
      const name = `${method} ${route.path}`;
      const declaredResponse = route.operation.responses[status];
      if (!declaredResponse) throw new Error(`${name} answers ${status}, which its operation does not declare.`);
      const schema = declaredResponse.content?.['application/json']?.schema;
      if (!schema || !/^application\/json\b/.test(type)) return;
      const key = `${name} ${status}`;
      const validate = checks.get(key) ?? ajv.compile(closeSchema(schema) as Json);
      checks.set(key, validate);
      if (!validate(JSON.parse(text)))
        throw new Error(
          `A response of ${name} does not match its schema: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`,
        );
    },
  };
}

/** Fixed paths come before those with parameters, as in the router. */
function routesOf(paths: Record<string, Record<string, Operation>>, entities: readonly ModelEntity[]): Route[] {
  const alias = Object.fromEntries(entities.flatMap(({ name, alias: others }) => others.map((other) => [other, name])));
  const spellingsOf = (path: string) => [
    path,
    ...Object.entries(alias).flatMap(([other, name]) =>
      path === `/${name}` || path.startsWith(`/${name}/`) ? [`/${other}${path.slice(name.length + 1)}`] : [],
    ),
  ];
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      spellingsOf(path).flatMap((spelling) =>
        Object.entries(operations)
          .filter(([method]) => method !== 'parameters')
          .map(([method, operation]) => ({
            method: method.toUpperCase(),
            path: spelling,
            pattern: new RegExp(`^${spelling.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
            parameters: spelling.split('{').length - 1,
            operation,
          })),
      ),
    )
    .sort((a, b) => a.parameters - b.parameters);
}

/**
 * Forbids undeclared properties, so that undeclared fields fail. Rows of entities stay open, because includes extend
 * them, and so do members of `allOf`, which complement each other.
 */
function closeSchema(schema: unknown, isOpen = false): unknown {
  if (Array.isArray(schema)) return schema.map((member) => closeSchema(member, isOpen));
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = schema as Json;
  if (typeof node.$ref === 'string') return { ...node, $ref: `api${node.$ref}` };
  const inner = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, closeSchema(value, isOpen || name === 'allOf')]),
  );
  const isComplete = !isOpen && node.properties !== undefined && node.additionalProperties === undefined;
  return isComplete ? { ...inner, additionalProperties: false } : inner;
}
