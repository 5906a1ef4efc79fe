/** One field of an entity drawn or asked for, as its kind is. */
export { Ask } from './parts/Ask';
export { Show } from './parts/Show';
