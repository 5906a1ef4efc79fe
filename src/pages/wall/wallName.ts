import { currentUser } from '../../providers/auth';

/** The name of the wall; the product's where somebody looks with their own session. */
export const wallName = (): string => currentUser()?.wall ?? 'Sweepline';
