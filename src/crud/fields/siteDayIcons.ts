import type { SiteDayState } from '../../../schema/features/calendar';
import type { IconName } from '../../ui/Icon';

/** Icons of the states of a site day. */
export const siteDayIcons: Record<SiteDayState, IconName> = {
  cleaned: 'check',
  partly: 'half',
  missed: 'close',
  planned: 'online',
};
