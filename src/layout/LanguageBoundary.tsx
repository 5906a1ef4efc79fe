import { I18nContext } from 'ra-core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Languages } from '../providers/i18n';

/**
 * Provides the current language. On a change of language React-admin's own provider remounts the page and loses typed
 * text; this one only renders again.
 */
export const LanguageBoundary = ({ languages, children }: { languages: Languages; children: ReactNode }) => {
  const [current, setCurrent] = useState<Languages>(languages);
  useEffect(() => languages.subscribe(() => setCurrent({ ...languages })), [languages]);
  return <I18nContext.Provider value={current}>{children}</I18nContext.Provider>;
};
