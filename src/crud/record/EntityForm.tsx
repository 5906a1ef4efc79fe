import { HttpError, useNotify, useTranslate } from 'ra-core';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useImperativeHandle, useMemo } from 'react';
import { type FieldValues, FormProvider, useForm, useWatch } from 'react-hook-form';
import type { Entity } from '../../../schema/dsl/entity';
import { FieldInput, inputId, isRequiredInForm } from '../fields/FieldInput';
import { ErrorSummary } from './ErrorSummary';
import './record.css';
import { resolverOf } from './rules';
import { SaveBar } from './SaveBar';
import { useFocusAfterSubmit } from './useFocusAfterSubmit';
import { isSameJson } from './useJustChanged';
import { useLeaveGuard } from './useLeaveGuard';

interface EntityFormProps {
  entity: Entity;
  id?: string;
  /** The fields of the form. */
  names: readonly string[];
  values: FieldValues;
  /** The current row; absent for a new one. */
  current?: FieldValues;
  /** Saves the values. If it throws, the form shows a 422 at its fields, and other errors as a toast. */
  save: (values: FieldValues) => Promise<void>;
  onCancel: () => void;
  /** Replaces the inputs of a group for some of its fields. */
  groupOverride?: GroupOverride;
  /** Returns the fields to hide for the current values. */
  hiddenFields?: FieldSelector;
  /** Returns the fields that the current values require. */
  requiredFields?: FieldSelector;
  /** Returns whether it has handled the failure; otherwise the form shows it. */
  onFailure?: (error: unknown, values: FieldValues) => boolean;
  /** Called when the form becomes dirty or clean. */
  onTouched?: (isTouched: boolean) => void;
  /** Receives the handle by which a page controls the form. */
  handle?: RefObject<FormHandle | null>;
  /** Content above the fields. */
  notice?: ReactNode;
}

/** What a page can do with its form. */
export interface FormHandle {
  values: () => FieldValues;
  /** Rebases the form on a newer row. Keeps the user's values, except in the `discarded` fields. */
  rebase: (values: FieldValues, discarded: readonly string[]) => void;
}

export type FieldSelector = (values: FieldValues) => readonly string[];

export interface GroupOverride {
  group: string;
  fields: readonly string[];
  element: ReactNode;
}

/** The form of an entity: groups as titled sections, validation by the declaration, server problems at their fields. */
export const EntityForm = ({
  entity,
  id,
  names,
  values,
  current,
  save,
  onCancel,
  groupOverride,
  hiddenFields,
  requiredFields,
  onFailure,
  onTouched,
  handle,
  notice,
}: EntityFormProps) => {
  const translate = useTranslate();
  const notify = useNotify();
  const resolver = useMemo(
    () => resolverOf(entity, { names, current, requiredFields, translate }),
    [entity, names, current, requiredFields, translate],
  );
  const form = useForm({ defaultValues: values, resolver, mode: 'onTouched', shouldFocusError: false });
  const { isDirty, isSubmitting } = form.formState;
  const allowLeaving = useLeaveGuard(isDirty);
  useEffect(() => onTouched?.(isDirty), [onTouched, isDirty]);
  useImperativeHandle(handle, () => ({
    values: () => form.getValues(),
    rebase: (newerRecord, discarded) => {
      const formValues = form.getValues();
      form.reset(newerRecord);
      for (const name of names)
        if (!discarded.includes(name) && !isSameJson(formValues[name], newerRecord[name]))
          form.setValue(name, formValues[name], { shouldDirty: true, shouldTouch: true });
    },
  }));
  const groups = Object.entries(entity.form)
    .map(([group, members]) => ({ group, members: members.filter((name) => names.includes(name)) }))
    .filter(({ members }) => members.length > 0);

  const submit = form.handleSubmit(async (formValues) => {
    try {
      allowLeaving();
      await save(formValues);
    } catch (error) {
      allowLeaving(false);
      if (onFailure?.(error, formValues)) return;
      const problems = problemsIn(error);
      for (const [path, message] of Object.entries(problems))
        form.setError(names.includes(path.split('.')[0] ?? '') ? path : `root.${path}`, { type: 'server', message });
      if (Object.keys(problems).length > 0) return;
      console.error(error);
      notify(error instanceof Error ? error.message : 'errors.generic', { type: 'error' });
    }
  });

  const rememberFocus = useFocusAfterSubmit(isSubmitting);

  return (
    <FormProvider {...form}>
      <form
        id={id}
        className="sl-entity-form"
        noValidate
        onSubmit={(event) => {
          // The shortcut submits even while the button is disabled.
          if (isSubmitting) return event.preventDefault();
          rememberFocus();
          return submit(event);
        }}
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
          {names.some((name) => entity.fields[name] && isRequiredInForm(entity.fields[name])) && (
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
              {groupOverride?.group === group && groupOverride.element}
              <div className="sl-fields">
                {members
                  .filter((name) => groupOverride?.group !== group || !groupOverride.fields.includes(name))
                  .map((name) => (
                    <ConditionalField
                      key={name}
                      hiddenFields={hiddenFields}
                      requiredFields={requiredFields}
                      name={name}
                    >
                      {(isRequired) => (
                        <FieldInput entity={entity} source={name} disabled={isSubmitting} required={isRequired} />
                      )}
                    </ConditionalField>
                  ))}
              </div>
            </section>
          ))}
        </div>
        <SaveBar
          isVisible={isDirty || !current}
          isDirty={isDirty}
          isBusy={isSubmitting}
          onDiscard={() => form.reset()}
          onCancel={onCancel}
          isNew={!current}
        />
      </form>
    </FormProvider>
  );
};

interface ConditionalFieldProps {
  hiddenFields: FieldSelector | undefined;
  requiredFields: FieldSelector | undefined;
  name: string;
  children: (isRequired: boolean) => ReactNode;
}

const ConditionalField = (props: ConditionalFieldProps) =>
  props.hiddenFields || props.requiredFields ? <WatchingField {...props} /> : props.children(false);

/** Watches all form values; used only for fields that depend on other values. */
const WatchingField = ({ hiddenFields, requiredFields, name, children }: ConditionalFieldProps) => {
  const values = useWatch();
  return hiddenFields?.(values).includes(name) ? null : children(requiredFields?.(values).includes(name) ?? false);
};

/** Saves on Ctrl+S, or Cmd+S. */
function saveByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** The first message per field of a 422. */
function problemsIn(error: unknown): Record<string, string> {
  if (!(error instanceof HttpError) || error.status !== 422) return {};
  return (error.body as { errors?: Record<string, string> } | null)?.errors ?? {};
}
