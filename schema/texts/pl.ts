import { en } from './en';
import type { Texts } from './types';

export const pl: Texts = en;
