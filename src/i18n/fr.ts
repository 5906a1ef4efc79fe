import { en } from './en';
import type { UiTexts } from './types';

export const fr: UiTexts = en;
