import english from 'ra-language-english';
import type { TranslationMessages } from 'react-admin';

export const de: TranslationMessages = english;
