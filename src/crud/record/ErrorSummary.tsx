import { useTranslate } from 'ra-core';
import { useEffect, useRef } from 'react';
import { type FieldErrors, useFormContext } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { inputId } from '../fields/FieldInput';

/** All problems after an attempt to save, each with a link to its field if the form shows it. */
export const ErrorSummary = ({ entity }: { entity: Entity }) => {
  const translate = useTranslate();
  const {
    formState: { errors, submitCount },
  } = useFormContext();
  const box = useRef<HTMLDivElement>(null);
  const order = Object.values(entity.form).flat();
  const positionOf = (path: string) => order.indexOf(path.split('.')[0] ?? '');
  const entries = listErrors(errors).sort((a, b) => positionOf(a.path) - positionOf(b.path));
  const hasErrors = entries.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run after every attempt to save
  useEffect(() => {
    if (submitCount > 0 && hasErrors) box.current?.focus();
  }, [submitCount]);
  if (submitCount === 0 || !hasErrors) return null;
  return (
    <div ref={box} className="sl-error-summary" role="alert" tabIndex={-1}>
      <h2>{translate('form.errors_title', { smart_count: entries.length })}</h2>
      <ul>
        {entries.map(({ path, message }) => (
          <li key={path}>
            {findElement(path) ? (
              <a
                href={`#${inputId(path)}`}
                onClick={(event) => {
                  event.preventDefault();
                  focusInput(path);
                }}
              >
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
};

/** The element of a path, or of its closest parent: `emails.0.primary` falls back to `emails`. */
function findElement(path: string): HTMLElement | null {
  const end = path.lastIndexOf('.');
  return document.getElementById(inputId(path)) ?? (end < 0 ? null : findElement(path.slice(0, end)));
}

/** Focuses the input of a path. If a label covers several inputs, focuses the first invalid one, else the label. */
function focusInput(path: string): void {
  const target = findElement(path);
  const isInput = target?.matches('input, select, textarea');
  const invalid = isInput ? null : target?.closest('.sl-form-field')?.querySelector<HTMLElement>('[aria-invalid=true]');
  (invalid ?? target)?.focus();
}

/** Lists errors by path. react-hook-form has errors at fields outside of the form below `root.`, which is removed. */
export function listErrors(errors: FieldErrors, prefix = ''): { path: string; message: string }[] {
  return Object.entries(errors).flatMap(([name, error]) => {
    if (typeof error !== 'object' || error === null || name === 'ref') return [];
    const path = `${prefix}${name}`;
    const { message } = error as { message?: unknown };
    return typeof message === 'string'
      ? [{ path: path.replace(/^root\./, ''), message }]
      : listErrors(error as FieldErrors, `${path}.`);
  });
}
