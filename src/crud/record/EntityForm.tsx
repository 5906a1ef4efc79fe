import { HttpError, useNotify, useTranslate } from 'ra-core';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useImperativeHandle, useMemo } from 'react';
import { type FieldValues, FormProvider, useForm, useWatch } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { FieldInput, inputId, isAsked } from '../fields/FieldInput';
import { ErrorSummary } from './ErrorSummary';
import './record.css';
import { isSameJson } from './meanwhile';
import { resolverOf } from './rules';
import { SaveBar } from './SaveBar';
import { useLeaveGuard } from './useLeaveGuard';

interface EntityFormProps {
  entity: Entity;
  id?: string;
  /** The fields asked for. */
  names: readonly string[];
  values: FieldValues;
  /** The row as it is; none for a new one. */
  current?: FieldValues;
  /** Sends the values. What it throws is shown: a 422 at its fields, other failures as a toast. */
  save: (values: FieldValues) => Promise<void>;
  onCancel: () => void;
  /** Asks for some fields of a group in a way of its own, in their place. */
  own?: OwnPart;
  /** The fields that mean nothing beside the values typed so far: not asked for. */
  idle?: Idle;
  /** The fields without which the values typed so far mean nothing. */
  needed?: Idle;
  /** Deals with a failure itself and says so by true. */
  onFailure?: (error: unknown, values: FieldValues) => boolean;
  /** Told whether anything is typed that is not saved. */
  onTouched?: (isTouched: boolean) => void;
  /** Filled with the way to what is typed. */
  handle?: RefObject<FormHandle | null>;
  /** Above the fields. */
  notice?: ReactNode;
}

/** What a page may do with the form that it shows. */
export interface FormHandle {
  typed: () => FieldValues;
  /** Goes on from a newer row: what is typed stays, but in the named fields. */
  rebase: (values: FieldValues, discarded: readonly string[]) => void;
}

export type Idle = (values: FieldValues) => readonly string[];

export interface OwnPart {
  group: string;
  fields: readonly string[];
  element: ReactNode;
}

/**
 * The form of an entity: its groups as titled sections, rules of the declaration, answers of the server at their
 * fields.
 */
export const EntityForm = ({
  entity,
  id,
  names,
  values,
  current,
  save,
  onCancel,
  own,
  idle,
  needed,
  onFailure,
  onTouched,
  handle,
  notice,
}: EntityFormProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const resolver = useMemo(
    () => resolverOf(entity, { names, current, needed, translate }),
    [entity, names, current, needed, translate],
  );
  const form = useForm({ defaultValues: values, resolver, mode: 'onTouched', shouldFocusError: false });
  const { isDirty, isSubmitting } = form.formState;
  const letPass = useLeaveGuard(isDirty);
  useEffect(() => onTouched?.(isDirty), [onTouched, isDirty]);
  useImperativeHandle(handle, () => ({
    typed: () => form.getValues(),
    rebase: (newer, discarded) => {
      const typed = form.getValues();
      form.reset(newer);
      for (const name of names)
        if (!discarded.includes(name) && !isSameJson(typed[name], newer[name]))
          form.setValue(name, typed[name], { shouldDirty: true, shouldTouch: true });
    },
  }));
  const groups = Object.entries(entity.form)
    .map(([group, members]) => ({ group, members: members.filter((name) => names.includes(name)) }))
    .filter(({ members }) => members.length > 0);

  const submit = form.handleSubmit(async (typed) => {
    try {
      letPass();
      await save(typed);
    } catch (error) {
      letPass(false);
      if (onFailure?.(error, typed)) return;
      const problems = problemsIn(error);
      for (const [path, message] of Object.entries(problems))
        form.setError(names.includes(path.split('.')[0] ?? '') ? path : `root.${path}`, { type: 'server', message });
      if (Object.keys(problems).length > 0) return;
      console.error(error);
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  });

  return (
    <FormProvider {...form}>
      <form
        id={id}
        className="sl-entity-form"
        noValidate
        onSubmit={submit}
        onKeyDown={saveByKey}
        aria-label={translate(`resources.${entity.name}.${current ? 'edit' : 'add'}`)}
      >
        {groups.length > 2 && (
          <nav className="sl-anchors" aria-label={translate('form.sections')}>
            {groups.map(({ group }) => (
              <a key={group} href={`#group-${group}`}>
                {translate(`resources.${entity.name}.groups.${group}`)}
              </a>
            ))}
          </nav>
        )}
        <div className="sl-sections">
          {names.some((name) => entity.fields[name] && isAsked(entity.fields[name])) && (
            <p className="sl-required-note">{translate('form.required_note')}</p>
          )}
          {notice}
          <ErrorSummary entity={entity} />
          {groups.map(({ group, members }) => (
            <section
              key={group}
              id={`group-${group}`}
              className="sl-section"
              aria-labelledby={inputId(`title-${group}`)}
            >
              <h2 id={inputId(`title-${group}`)}>{translate(`resources.${entity.name}.groups.${group}`)}</h2>
              {own?.group === group && own.element}
              <div className="sl-fields">
                {members
                  .filter((name) => own?.group !== group || !own.fields.includes(name))
                  .map((name) => (
                    <Beside key={name} idle={idle} needed={needed} name={name}>
                      {(isNeeded) => (
                        <FieldInput entity={entity} source={name} disabled={isSubmitting} required={isNeeded} />
                      )}
                    </Beside>
                  ))}
              </div>
            </section>
          ))}
        </div>
        <SaveBar
          visible={isDirty || !current}
          dirty={isDirty}
          busy={isSubmitting}
          onDiscard={() => form.reset()}
          onCancel={onCancel}
          isNew={!current}
        />
      </form>
    </FormProvider>
  );
};

interface BesideProps {
  idle: Idle | undefined;
  needed: Idle | undefined;
  name: string;
  children: (isNeeded: boolean) => ReactNode;
}

const Beside = (props: BesideProps) => (props.idle || props.needed ? <Watching {...props} /> : props.children(false));

/** Heard of by every change of the form: only where there is something to hear. */
const Watching = ({ idle, needed, name, children }: BesideProps) => {
  const values = useWatch();
  return idle?.(values).includes(name) ? null : children(needed?.(values).includes(name) ?? false);
};

/** Ctrl+S saves as the button does. */
function saveByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** One message per field of a 422 answer. */
function problemsIn(error: unknown): Record<string, string> {
  if (!(error instanceof HttpError) || error.status !== 422) return {};
  return (error.body as { errors?: Record<string, string> } | null)?.errors ?? {};
}
