/** The query parameters of lists, as OpenAPI parameters. */
import type { ModelEntity } from '../context/services';
import { query } from './operationParts';
import type { Schema } from './schemas';

/** Query parameters of the lists of one entity. */
export function listParameterSchemas(entity: ModelEntity): Schema[] {
  const includes = [...entity.relations.values()].flatMap(({ name, isToOne }) =>
    isToOne ? [name] : [name, `${name}Count`],
  );
  const fields = Object.keys(entity.fields).filter(
    (name) => !['many', 'password', 'records'].includes(entity.fields[name]?.kind ?? ''),
  );
  const filters = [...fields, ...Object.keys(entity.buckets)];
  return [
    query('per_page', 'Rows per page, 1 to 1000', { type: 'integer', minimum: 1, maximum: 1000, default: 10 }),
    query('page', 'Page number, from 1', { type: 'integer', minimum: 1, default: 1 }),
    query('sort', 'Fields or to-one paths, separated by commas, `-` for descending'),
    query('include', `Comma list of ${includes.map((name) => `\`${name}\``).join(', ') || 'nothing'}`),
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description:
        `By any of ${filters.map((name) => `\`${name}\``).join(', ')}, by relation path such as ` +
        `\`fleet.name\`, by \`search\` and \`trashed\` (only, with). A name may end in \`.not\` (the ` +
        `remaining rows), of texts also in \`.is\` and \`.begins\`; days may be counted from today, as \`>=-7d\`. ` +
        `All filters must hold; of a group \`filter[any][0][0][…]\`, \`filter[any][0][1][…]\`, one alternative ` +
        `with all its filters must hold`,
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
