import type { Wide } from '../types';
import type { people } from './en';

export type PeopleTexts = Wide<typeof people>;
