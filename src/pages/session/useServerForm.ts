/** Forms outside the entities' own: rules while typing where there are some, the server's answer at its fields. */
import { useCallback, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { type DefaultValues, type FieldValues, get, type Path, type Resolver, useForm } from 'react-hook-form';
import { useToast } from '../../ui/useToast';

interface ServerForm<V extends FieldValues> {
  defaults: DefaultValues<V>;
  /** Whether the fields that nobody is typing into follow when `defaults` change. */
  follows?: boolean;
  resolver?: Resolver<V>;
  send: (values: V) => Promise<unknown>;
  /** What the success toast says; without it there is none. */
  done?: string;
}

/** A 422 answer's messages appear at their fields, any other failure as a toast. */
export function useServerForm<V extends FieldValues>({
  defaults,
  follows = false,
  resolver,
  send,
  done,
}: ServerForm<V>) {
  const form = useForm<V>({
    defaultValues: defaults,
    values: follows ? (defaults as V) : undefined,
    resetOptions: { keepDirtyValues: true },
    resolver,
    mode: 'onTouched',
  });
  const say = useToast();
  const translate = useTranslate();
  const [busy, setBusy] = useState(false);
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setBusy(true);
    try {
      await send(values);
      if (done) say('success', done);
    } catch (error) {
      const found = problemsIn(error);
      const known = Object.entries(found).filter(([name]) => Object.hasOwn(values, name));
      for (const [name, message] of known)
        form.setError(name as Path<V>, { type: 'server', message }, { shouldFocus: true });
      if (known.length === 0) {
        console.error(error);
        say('error', error instanceof HttpError ? error.message : 'errors.generic');
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

  return { ...form, submit, problemAt, busy };
}

/** First message by field of a 422 answer. */
function problemsIn(error: unknown): Record<string, string> {
  if (!(error instanceof HttpError) || error.status !== 422) return {};
  const { errors = {} } = (error.body ?? {}) as { errors?: Record<string, string[]> };
  return Object.fromEntries(Object.entries(errors).flatMap(([name, [message]]) => (message ? [[name, message]] : [])));
}
