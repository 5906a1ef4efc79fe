import { currentUser } from '../../providers/auth';

/** The name of the wall, or of the product if a user opens the wall with their own session. */
export const wallName = (): string => currentUser()?.wall ?? 'Sweepline';
