import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { HttpError, useTranslate } from 'ra-core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { LoadFailed } from '../../ui/LoadFailed';
import { PageHead } from '../../ui/PageHead';

interface FailedQuery {
  queryKey: readonly unknown[];
  state: { data: unknown };
}

/**
 * Whether a failed list query is thrown to `PageErrorBoundary`: if a page other than the first has no rows because the
 * server failed. Without this, react-admin would go to the first page, as if the page did not exist.
 */
export const throwsOnPage = (error: Error, { queryKey, state }: FailedQuery): boolean =>
  state.data === undefined && pageOf(queryKey) > 1 && !(error instanceof HttpError && isRefusal(error.status));

const pageOf = ([, , params]: readonly unknown[]): number =>
  Number((params as { pagination?: { page?: number } } | undefined)?.pagination?.page ?? 1);

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Says that a page of the list failed to load. The address keeps the page, so that the button loads it again. */
export function PageErrorBoundary({
  entity,
  embedded,
  children,
}: {
  entity: Entity;
  embedded: boolean;
  children: ReactNode;
}) {
  const translate = useTranslate();
  const { search } = useLocation();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  return (
    <ErrorBoundary
      resetKey={search}
      fallback={(error, reset) => (
        <>
          {!embedded && <PageHead title={translate(`resources.${entity.name}.plural`)} />}
          <LoadFailed
            title={translate('list.error')}
            error={error}
            onRetry={() => {
              resetQueries();
              reset();
            }}
          />
        </>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
