/** Two calls for each declared report: its lines, and the report as a file. */
import Type from 'typebox';
import { text } from '../dsl/field';
import { type ReportContent, type ReportLine, reportFilters, reportLevels, reports } from '../features/reports';
import { type ReportName, reportNames } from '../shared/reportNames';
import { daySchema, idSchema, nullable, oneOf, pagedDataOf } from './endpoint';
import { sheetMedia } from './sheet';

const namedRow = { id: idSchema, name: Type.String() };
/** A line. Its other properties are the columns named in `columns`. */
const ReportLineSchema = Type.Unsafe<ReportLine>(
  Type.Object(
    { level: oneOf([...reportLevels, 'total']), id: nullable(Type.Integer()), name: nullable(Type.String()) },
    { additionalProperties: Type.Unknown() },
  ),
);
const ReportSchema = Type.Unsafe<ReportContent>(
  Type.Object({
    report: oneOf(reportNames),
    by: oneOf(reportLevels),
    from: daySchema,
    to: daySchema,
    client: nullable(Type.Object({ ...namedRow, image: nullable(Type.String()) })),
    fleet: nullable(Type.Object(namedRow)),
    location: nullable(Type.Object(namedRow)),
    view: nullable(Type.Object(namedRow)),
    columns: Type.Array(Type.String()),
    lines: Type.Array(ReportLineSchema),
  }),
);

/** Forecasts have a date, other reports a period; the handler parses both. */
const query = {
  from: text(),
  to: text(),
  ...(Object.fromEntries(reportFilters.map((name) => [name, text()])) as Record<
    (typeof reportFilters)[number],
    ReturnType<typeof text>
  >),
  by: text(),
  month: text(),
  date: text(),
};

const endpointOf = (report: ReportName) =>
  ({
    summary: `The report "${report}"; \`by\` sets the lowest level of its lines: ${reports[report].levels.join(', ')}`,
    tag: 'reports',
    query,
    dialect: ['page'],
    replica: true,
    response: pagedDataOf(ReportSchema),
    refuses: [400, 401, 403, 422],
  }) as const;

const exportOf = (report: ReportName) =>
  ({
    summary: `The report "${report}" as a file`,
    tag: 'reports',
    query: { ...query, format: text(), delimiter: text() },
    replica: true,
    media: sheetMedia,
    refuses: [401, 403, 422],
  }) as const;

type ReportEndpoints = { readonly [N in ReportName as `GET /reports/${N}`]: ReturnType<typeof endpointOf> } & {
  readonly [N in ReportName as `GET /reports/${N}/export`]: ReturnType<typeof exportOf>;
};

export const reportEndpoints = Object.fromEntries(
  reportNames.flatMap((report) => [
    [`GET /reports/${report}`, endpointOf(report)],
    [`GET /reports/${report}/export`, exportOf(report)],
  ]),
) as unknown as ReportEndpoints;
