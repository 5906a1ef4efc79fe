import { en } from './en';
import type { UiTexts } from './types';

export const pl: UiTexts = en;
