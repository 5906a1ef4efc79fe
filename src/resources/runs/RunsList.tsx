import { runs } from '../../../schema/entities/runs';
import { type ListEmbedding, ListPage } from '../../crud/list/ListPage';

/**
 * The list of runs without superseded ones. Those remain as evidence, and the page of the run that supersedes them
 * links to them.
 */
export const RunsList = (embedding: ListEmbedding) => (
  <ListPage entity={runs} filter={{ superseded_by: null }} {...embedding} />
);
