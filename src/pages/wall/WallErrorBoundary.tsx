import { Component, type ReactNode } from 'react';
import { whenReachable } from '../../providers/reachability';

/** Milliseconds between an error and the reload. */
const reloadAfter = 60_000;

/** Error boundary of a wall. Shows a message, and reloads the page, since nobody is there to do so. */
export class WallErrorBoundary extends Component<{ message: string; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
    // Without the server the browser would show its own error page, which never reloads.
    setTimeout(() => void whenReachable().then(() => window.location.reload()), reloadAfter);
  }

  override render() {
    const { message, children } = this.props;
    return this.state.isBroken ? (
      <main className="sl-wall__notice">
        <p role="alert">{message}</p>
      </main>
    ) : (
      children
    );
  }
}
