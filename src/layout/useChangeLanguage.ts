import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { HttpError, useI18nProvider } from 'react-admin';
import type { Language } from '../../schema/shared/languages';
import { currentUser } from '../providers/auth';
import { call } from '../providers/call';
import { loadLanguage } from '../providers/i18n';
import { session } from '../providers/session';
import { toast } from '../ui/toast';
import { useToast } from '../ui/useToast';

/** Changes run one after the other, so that the last one wins both here and on the server. */
let runningChange: Promise<void> = Promise.resolve();

/**
 * Returns a function that changes the language of the interface. For a logged-in user it first updates the server and
 * stores the new token, so that messages and mails follow; otherwise only this browser changes.
 */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const i18n = useI18nProvider();
  const client = useQueryClient();
  const notify = useToast();
  return useCallback(
    (language) => {
      const change = async () => {
        const user = currentUser();
        const texts = await loadLanguage(language);
        if (user) await saveLanguage(user.id, language);
        await i18n.changeLocale(language);
        if (!user) return;
        // Reloads sentences that the server writes, such as the reason for a state.
        void client.invalidateQueries();
        toast({ type: 'success', message: texts.change_language.message, label: texts.toasts.success });
      };
      runningChange = runningChange.then(change).catch((error: unknown) => {
        console.error(error);
        notify('error', error instanceof HttpError ? error.message : 'errors.generic');
      });
      return runningChange;
    },
    [i18n, client, notify],
  );
}

async function saveLanguage(userId: number, language: Language) {
  const { data } = await call('GET /languages/all', { search: 'sort=id&per_page=100' });
  const languageRow = data.find(({ two_letter_code }) => two_letter_code === language);
  if (!languageRow) throw new HttpError('errors.not_found', 404);
  await call('PUT /users/{id}/language', { params: { id: userId }, body: { language_id: languageRow.id } });
  const { user_token } = await call('GET /languages/{id}/token', { params: { id: languageRow.id } });
  session.set({ ut: user_token });
}
