/** Lists the routes of the application from the tree that Fastify prints. */
import type { FastifyInstance } from 'fastify';

export interface ServedRoute {
  method: string;
  /** Path with parameters as declared: `/api/v1/machines/:id`. */
  path: string;
}

/** Every method of every path. The printed tree has lines `path (METHOD, METHOD)`, indented by two spaces per level. */
export function listRoutes(app: FastifyInstance): ServedRoute[] {
  const stack: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', rest = ''] = /^((?:│ {3}| {4})*(?:├── |└── )?)(.*)$/.exec(line) ?? [];
      const [, pathPart = '', allowed] = /^(.*?)(?: \(([A-Z, ]+)\))?$/.exec(rest) ?? [];
      const depth = indent.length / 4;
      stack.length = depth;
      stack[depth] = pathPart;
      return (allowed ?? '')
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, path: stack.join('') }));
    });
}
