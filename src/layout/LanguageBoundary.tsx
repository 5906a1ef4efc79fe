import { I18nContext } from 'ra-core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Languages } from '../providers/i18n';

/**
 * Provides the current language. React-admin's own provider remounts the page when the language changes and loses typed
 * text; this one renders texts again.
 */
export const LanguageBoundary = ({ languages, children }: { languages: Languages; children: ReactNode }) => {
  const [current, setCurrent] = useState<Languages>(languages);
  useEffect(() => languages.subscribe(() => setCurrent({ ...languages })), [languages]);
  return <I18nContext.Provider value={current}>{children}</I18nContext.Provider>;
};
