import { en } from './en';
import type { Texts } from './types';

export const de: Texts = en;
