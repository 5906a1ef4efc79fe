import type { SiteDay } from '../../../schema/endpoints/locations';

/** Shades a day on which a site does not open at all. Hours are not drawn: they are in the text of the day's mark. */
export const ClosedDay = () => <i className="sl-closed-day" />;

/** Whether a site does not open on a day. False if its opening hours are unknown. */
export const isClosed = ({ open }: Pick<SiteDay, 'open'>): boolean => open?.length === 0;
