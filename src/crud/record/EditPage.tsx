import { useQueryClient } from '@tanstack/react-query';
import { HttpError, type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { crumbsAbove } from '../../ui/crumbs';
import { PageHead } from '../../ui/PageHead';
import { isEditable, titleOf, writableOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { useLanguage } from '../shared/useLanguage';
import { EntityForm, type FieldSelector, type FormHandle, type GroupOverride } from './EntityForm';
import { MergeDialog } from './MergeDialog';
import './merge.css';
import { RecordPlaceholder } from './RecordPlaceholder';
import { valuesOf } from './rules';
import { useChangeNotice, useJustChanged } from './useJustChanged';
import { type RowQuery, useRow } from './useRow';

interface EditPageProps {
  entity: Entity;
  /** Fields to omit. */
  omittedFields?: readonly string[];
  groupOverride?: GroupOverride;
  hiddenFields?: FieldSelector;
  requiredFields?: FieldSelector;
}

/** The form for an existing row. Redirects users who may not change any of its fields to the dashboard. */
export const EditPage = ({
  entity,
  omittedFields = noFields,
  groupOverride,
  hiddenFields,
  requiredFields,
}: EditPageProps) => {
  const row = useRow(entity);
  const navigate = useNavigate();
  const pathOf = usePathOf();
  if (!isEditable(entity)) return <Navigate to="/" replace />;
  const { record } = row;
  if (!record) return <RecordPlaceholder entity={entity} row={row} />;
  const recordPath = pathOf(entity.name, record.id);
  return (
    <>
      <EditHead entity={entity} record={record} recordPath={recordPath} />
      <EditForm
        key={record.id}
        entity={entity}
        omittedFields={omittedFields}
        groupOverride={groupOverride}
        hiddenFields={hiddenFields}
        requiredFields={requiredFields}
        row={row}
        loaded={record}
        leave={() => navigate(recordPath)}
      />
    </>
  );
};

/** The form of a row inside its record page: saving and cancelling stay on that page. */
export const RowForm = ({ entity }: { entity: Entity }) => {
  const row = useRow(entity);
  const [resetCount, setResetCount] = useState(0);
  return (
    row.record && (
      <EditForm
        key={`${row.record.id} ${resetCount}`}
        entity={entity}
        omittedFields={noFields}
        row={row}
        loaded={row.record}
        leave={() => setResetCount(resetCount + 1)}
      />
    )
  );
};

const EditHead = ({ entity, record, recordPath }: { entity: Entity; record: RaRecord; recordPath: string }) => {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const name = titleOf(entity, record, useLanguage());
  return (
    <PageHead
      title={translate(`resources.${entity.name}.edit`)}
      count={name}
      menu={
        <Link className="sl-button" to={recordPath}>
          {translate('form.cancel')}
        </Link>
      }
      crumbs={[
        ...crumbsAbove(pathname),
        // A crumb that starts with a lowercase letter would be taken for a text key.
        { headerName: /^\p{Ll}/u.test(name) ? `\u200b${name}` : name, link: recordPath },
        { headerName: 'form.edit' },
      ]}
    />
  );
};

const noFields: readonly string[] = [];

interface Conflict {
  /** The values that the user entered. */
  mine: FieldValues;
  /** The row as another user saved it meanwhile. */
  theirs: RaRecord;
}

const EditForm = ({
  entity,
  omittedFields,
  groupOverride,
  hiddenFields,
  requiredFields,
  row,
  loaded,
  leave,
}: Required<Pick<EditPageProps, 'entity' | 'omittedFields'>> &
  Pick<EditPageProps, 'groupOverride' | 'hiddenFields' | 'requiredFields'> & {
    row: RowQuery;
    loaded: RaRecord;
    /** Called after saving and on cancel. */
    leave: () => void;
  }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const client = useQueryClient();
  const provider = useDataProvider();
  const names = useMemo(
    () => writableOf(entity, 'edit').filter((name) => !omittedFields.includes(name)),
    [entity, omittedFields],
  );
  // The version on which the form is based. A save sends it, so that it cannot silently overwrite another change.
  const [loadedRow, setLoadedRow] = useState(loaded);
  const base = useRef(loaded);
  const form = useRef<FormHandle>(null);
  const [isTouched, setTouched] = useState(false);
  // While saving, the event of the user's own change may arrive before its response; it is not a change by others.
  const [isSaving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();
  const formId = useId();
  const [values] = useState(() => valuesOf(entity, names, loaded));
  const isNewer = (loaded.version as number) > (loadedRow.version as number);
  const justChanged = useJustChanged(entity, loadedRow);

  const rebaseOn = useCallback(
    (newerRecord: RaRecord, discarded: readonly string[]) => {
      base.current = { ...base.current, ...newerRecord };
      form.current?.rebase(valuesOf(entity, names, newerRecord), discarded);
      setLoadedRow(base.current);
    },
    [entity, names],
  );
  useEffect(() => {
    if (isNewer && !isTouched) rebaseOn(loaded, names);
  }, [isNewer, isTouched, loaded, names, rebaseOn]);

  const save = async (formValues: FieldValues) => {
    setSaving(true);
    const { data } = await provider
      .update(entity.name, { id: loaded.id, data: formValues, previousData: base.current, meta: row.meta })
      .catch((error: unknown) => {
        setSaving(false);
        throw error;
      });
    client.setQueryData([entity.name, 'getOne', { id: String(loaded.id), meta: row.meta }], data);
    notify(`resources.${entity.name}.changed`, { type: 'success' });
    leave();
    await client.invalidateQueries({ queryKey: [entity.name] });
  };
  const handleError = (error: unknown, formValues: FieldValues) => {
    const { status, body } = error instanceof HttpError ? error : { status: 0, body: undefined };
    const storedRecord = (body as { current?: RaRecord } | undefined)?.current;
    if (status !== 412 || !storedRecord) return false;
    setConflict({ mine: formValues, theirs: storedRecord });
    return true;
  };
  return (
    <>
      <EntityForm
        id={formId}
        handle={form}
        entity={entity}
        names={names}
        values={values}
        current={loadedRow}
        save={save}
        onCancel={leave}
        groupOverride={groupOverride}
        hiddenFields={hiddenFields}
        requiredFields={requiredFields}
        onFailure={handleError}
        onTouched={setTouched}
        notice={
          isNewer && isTouched && !isSaving ? (
            <NewerVersionNotice
              entity={entity}
              record={loaded}
              onCompare={() => setConflict({ mine: form.current?.values() ?? {}, theirs: loaded })}
            />
          ) : justChanged.size > 0 ? (
            <p className="sl-meanwhile" role="status">
              {translate('merge.changed_now')}:{' '}
              {[...justChanged].map((field) => translate(`resources.${entity.name}.fields.${field}`)).join(', ')}
            </p>
          ) : undefined
        }
      />
      {conflict && (
        <MergeDialog
          entity={entity}
          names={names}
          base={loadedRow}
          {...conflict}
          onSave={(theirFields) => {
            setConflict(undefined);
            rebaseOn(conflict.theirs, theirFields);
            // Waits until the form has applied the choice, then submits it.
            setTimeout(() => (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit());
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
};

/** Tells the user that somebody else saved the row while they were typing. */
const NewerVersionNotice = ({
  entity,
  record,
  onCompare,
}: {
  entity: Entity;
  record: RaRecord;
  onCompare: () => void;
}) => {
  const translate = useTranslate();
  return (
    <div className="sl-meanwhile" role="status">
      <span>{useChangeNotice(entity, record)}</span>
      <button type="button" className="sl-button sl-button-small" onClick={onCompare}>
        {translate('merge.compare')}
      </button>
    </div>
  );
};
