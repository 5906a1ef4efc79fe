/** Set-up of rendered tests: leaves nothing of a file to the next one, which has the same window and modules. */
import { cleanup } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { initialSession, session } from '../../src/providers/session';

afterAll(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  session.set(initialSession);
  localStorage.clear();
  sessionStorage.clear();
});
