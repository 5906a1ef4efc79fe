import type { Row } from '../../../schema/dsl/entity';
import type { runs } from '../../../schema/entities/runs';

export type RunRow = Row<typeof runs>;
