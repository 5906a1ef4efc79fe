import type { Wide } from '../types';
import type { hands } from './en';

export type HandsTexts = Wide<typeof hands>;
