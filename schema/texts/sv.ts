import { en } from './en';
import type { Texts } from './types';

export const sv: Texts = en;
