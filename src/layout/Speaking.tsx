import { I18nContext } from 'ra-core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Languages } from '../providers/i18n';

/**
 * Everything inside reads the language of the moment. React-admin's own provider builds the whole page anew when the
 * language changes, and what was typed is lost; here every text is only drawn again.
 */
export const LanguageBoundary = ({ languages, children }: { languages: Languages; children: ReactNode }) => {
  const [current, setCurrent] = useState<Languages>(languages);
  useEffect(() => languages.subscribe(() => setCurrent({ ...languages })), [languages]);
  return <I18nContext.Provider value={current}>{children}</I18nContext.Provider>;
};
