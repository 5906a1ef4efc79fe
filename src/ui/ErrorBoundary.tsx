import { Component, type ErrorInfo, type ReactNode } from 'react';
import { ErrorScreen } from './ErrorScreen';

interface ErrorBoundaryProps {
  /** Resets the error when it changes, such as the current path. */
  resetKey?: string;
  /** Shown in place of the error screen. */
  fallback?: (error: Error, reset: () => void) => ReactNode;
  children: ReactNode;
}

/** Error boundary: shows the error screen in place of the failed content; its button renders the content again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps, { error }: { error?: Error }) {
    if (error && resetKey !== this.props.resetKey) this.setState({ error: undefined });
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const reset = () => this.setState({ error: undefined });
    return this.props.fallback?.(error, reset) ?? <ErrorScreen error={error} resetErrorBoundary={reset} />;
  }
}
