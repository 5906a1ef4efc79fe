/** Forms other than the generated forms of entities. */
import { useCallback, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import {
  type DefaultValues,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  type UseFormRegisterReturn,
  useForm,
} from 'react-hook-form';
import { useToast } from './useToast';

interface ServerForm<V extends FieldValues> {
  defaults: DefaultValues<V>;
  /** Whether fields that the user has not touched follow changes of `defaults`. */
  follows?: boolean;
  resolver?: Resolver<V>;
  send: (values: V) => Promise<unknown>;
  /** Text of the success toast; default: no toast. */
  toast?: string;
}

/** Props that a `FormField` takes from its form. */
export type ServerField = UseFormRegisterReturn & { problem: string | undefined };

/**
 * State of a form. With a resolver it validates a field when the user leaves it, and from then on while typing. Shows
 * the messages of a 422 at their fields, any other failure as a toast.
 */
export function useServerForm<V extends FieldValues>({
  defaults,
  follows = false,
  resolver,
  send,
  toast,
}: ServerForm<V>) {
  const form = useForm<V>({
    defaultValues: defaults,
    values: follows ? (defaults as V) : undefined,
    resetOptions: { keepDirtyValues: true },
    resolver,
    mode: 'onTouched',
  });
  const notify = useToast();
  const translate = useTranslate();
  const [isBusy, setBusy] = useState(false);
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setBusy(true);
    try {
      await send(values);
      if (toast) notify('success', toast);
    } catch (error) {
      const problems = problemsIn(error);
      const ownProblems = Object.entries(problems).filter(([name]) => Object.hasOwn(values, name));
      for (const [name, message] of ownProblems)
        form.setError(name as Path<V>, { type: 'server', message }, { shouldFocus: true });
      if (ownProblems.length === 0) {
        console.error(error);
        notify('error', error instanceof HttpError ? error.message : 'errors.generic');
      }
    } finally {
      setBusy(false);
    }
  });

  const problemAt = useCallback(
    (name: Path<V>): string | undefined => {
      const { message } = (get(errors, name) ?? {}) as { message?: unknown };
      return typeof message === 'string' ? translate(message, { _: message }) : undefined;
    },
    [errors, translate],
  );

  const fieldAt = (name: Path<V>): ServerField => ({ ...form.register(name), problem: problemAt(name) });

  return { ...form, submit, problemAt, fieldAt, isBusy };
}

/** The first message per field of a 422. */
function problemsIn(error: unknown): Record<string, string> {
  if (!(error instanceof HttpError) || error.status !== 422) return {};
  const { errors = {} } = (error.body ?? {}) as { errors?: Record<string, string[]> };
  return Object.fromEntries(Object.entries(errors).flatMap(([name, [message]]) => (message ? [[name, message]] : [])));
}
