import { useCallback } from 'react';
import { HttpError, useI18nProvider, useSetLocale } from 'react-admin';
import type { Language } from '../../schema/texts/types';
import { currentUser } from '../providers/auth';
import { api } from '../providers/http';
import { session } from '../providers/store';
import { toast } from './toast';

/**
 * Changes the language of the interface. Logged in, the server is told first and its new token kept, so that messages and mails follow;
 * logged out, only this browser changes.
 */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const setLocale = useSetLocale();
  const i18n = useI18nProvider();
  return useCallback(
    async (language) => {
      const user = currentUser();
      try {
        if (user) await tellServer(user.id, language);
        await i18n.changeLocale(language);
        setLocale(language);
        if (user) toast({ type: 'success', message: i18n.translate('change_language.message'), label: i18n.translate('toasts.success') });
      } catch (error) {
        console.error(error);
        const message = error instanceof HttpError ? error.message : 'errors.generic';
        toast({ type: 'error', message: i18n.translate(message, { _: message }), label: i18n.translate('toasts.error') });
      }
    },
    [i18n, setLocale],
  );
}

async function tellServer(userId: number, language: Language) {
  const { data } = await api<{ data: { id: number; two_letter_code: string }[] }>('languages/all?sort=id&per_page=100');
  const found = data.find(({ two_letter_code }) => two_letter_code === language);
  if (!found) throw new HttpError('errors.not_found', 404);
  await api(`users/${userId}/language`, { method: 'PUT', body: { language_id: found.id } });
  const { user_token } = await api<{ user_token: string }>(`languages/${found.id}/token`);
  session.set({ ut: user_token });
}
