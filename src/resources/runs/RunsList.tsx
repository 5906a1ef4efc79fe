import { runs } from '../../../schema/entities/runs';
import { ListPage, type ListPlace } from '../../crud/list/ListPage';

/** The runs that count. Those that another one supersedes are evidence, to which its page links. */
export const RunsList = (place: ListPlace) => <ListPage entity={runs} filter={{ superseded_by: null }} {...place} />;
