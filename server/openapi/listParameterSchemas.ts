import type { ModelEntity } from '../context/services';
import { queryParameter } from './operationParts';
import type { Schema } from './schemas';

/** Query parameters of the lists of an entity, as OpenAPI parameters. */
export function listParameterSchemas(entity: ModelEntity): Schema[] {
  const includes = [...entity.relations.values()].flatMap(({ name, isToOne }) =>
    isToOne ? [name] : [name, `${name}Count`],
  );
  const fields = Object.keys(entity.fields).filter(
    (name) => !['many', 'password', 'records'].includes(entity.fields[name]?.kind ?? ''),
  );
  const filters = [...fields, ...Object.keys(entity.buckets)];
  return [
    queryParameter('per_page', 'Rows per page, 1 to 1000', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }),
    queryParameter('page', 'Page number, from 1', { type: 'integer', minimum: 1, default: 1 }),
    queryParameter('sort', 'Fields or to-one paths, separated by commas, `-` for descending'),
    queryParameter(
      'include',
      `Relations, separated by commas: ${includes.map((name) => `\`${name}\``).join(', ') || 'none'}`,
    ),
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description:
        `Names are ${filters.map((name) => `\`${name}\``).join(', ')}, paths along relations such as ` +
        `\`fleet.name\`, \`search\` and \`trashed\` (only, with). The suffix \`.not\` negates a filter; names of ` +
        `texts also accept \`.is\` and \`.begins\`. Days may be relative to today, such as \`>=-7d\`. A row must ` +
        `match all filters; of a group of alternatives (\`filter[any][0][0][…]\`, \`filter[any][0][1][…]\`), it ` +
        `must match all filters of at least one`,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
    {
      name: 'fields',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: 'Sparse fields by resource',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
  ];
}
