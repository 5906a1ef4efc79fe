import { Component, type ReactNode } from 'react';

/** Milliseconds until a wall that cannot draw loads itself again: often enough, and no burden on the server. */
const reloadAfter = 60_000;

/** Nobody presses a button at a wall: after a fault it says so and loads itself again. */
export class FaultArea extends Component<{ message: string; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
    setTimeout(() => window.location.reload(), reloadAfter);
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
