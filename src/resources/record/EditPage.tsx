import { useQueryClient } from '@tanstack/react-query';
import { HttpError, type RaRecord, useDataProvider, useNotify, useTranslate } from 'ra-core';
import { useId, useMemo, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Link, Navigate, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { PageHead } from '../../layout/PageHead';
import { isEditable, pathOf, titleOf, writableOf } from '../entities';
import { useLanguage } from '../language';
import { ConflictDialog } from './ConflictDialog';
import { EntityForm, type OwnPart } from './EntityForm';
import { Missing } from './Missing';
import { valuesOf } from './rules';
import { type OneRow, useRow } from './useRow';

interface EditPageProps {
  entity: Entity;
  /** Fields the form leaves out. */
  without?: readonly string[];
  own?: OwnPart;
}

/** The form for a row that exists. Those who may change nothing of it are sent to the dashboard. */
export const EditPage = ({ entity, without = none, own }: EditPageProps) => {
  const row = useRow(entity);
  if (!isEditable(entity)) return <Navigate to="/" replace />;
  return row.record ? (
    <EditForm key={row.record.id} entity={entity} without={without} own={own} row={row} loaded={row.record} />
  ) : (
    <Missing entity={entity} row={row} />
  );
};

const none: readonly string[] = [];

interface Conflict {
  /** What the reader typed. */
  mine: FieldValues;
  /** The row as somebody else left it. */
  theirs: RaRecord;
}

const EditForm = ({
  entity,
  without,
  own,
  row,
  loaded,
}: Required<Pick<EditPageProps, 'entity' | 'without'>> & { own?: OwnPart; row: OneRow; loaded: RaRecord }) => {
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const client = useQueryClient();
  const provider = useDataProvider();
  const names = useMemo(() => writableOf(entity, 'edit').filter((name) => !without.includes(name)), [entity, without]);
  const name = titleOf(entity, loaded, useLanguage());
  // Live events change the loaded row; the form keeps the one it began with, so that a save still notices what others changed.
  const [before, setBefore] = useState(loaded);
  const [conflict, setConflict] = useState<Conflict>();
  const insisting = useRef(false);
  const formId = useId();
  const values = useMemo(() => valuesOf(entity, names, before), [entity, names, before]);
  const here = pathOf(entity.name, loaded.id);
  const back = () => navigate(here);

  const save = async (typed: FieldValues) => {
    const { data } = await provider.update(entity.name, { id: loaded.id, data: typed, previousData: before, meta: { ...row.meta, force: insisting.current } });
    client.setQueryData([entity.name, 'getOne', { id: String(loaded.id), meta: row.meta }], data);
    notify(`resources.${entity.name}.changed`, { type: 'success' });
    back();
    await client.invalidateQueries({ queryKey: [entity.name] });
  };
  const failed = (error: unknown, mine: FieldValues) => {
    const { status, body } = error instanceof HttpError ? error : { status: 0, body: undefined };
    const theirs = (body as { current?: RaRecord } | undefined)?.current;
    if (status !== 412 || !theirs) return false;
    setConflict({ mine, theirs });
    return true;
  };
  return (
    <>
      <PageHead
        title={translate(`resources.${entity.name}.edit`)}
        count={name}
        menu={
          <Link className="sl-button" to={here}>
            {translate('form.cancel')}
          </Link>
        }
        crumbs={[
          { headerName: `resources.${entity.name}.plural`, link: pathOf(entity.name) },
          { headerName: /^\p{Ll}/u.test(name) ? `\u200b${name}` : name, link: here },
          { headerName: 'form.edit' },
        ]}
      />
      <EntityForm
        key={before.version}
        id={formId}
        entity={entity}
        names={names}
        values={values}
        current={before}
        save={save}
        onCancel={back}
        own={own}
        onFailure={failed}
      />
      {conflict && (
        <ConflictDialog
          entity={entity}
          names={names}
          before={before}
          {...conflict}
          onMine={() => {
            setConflict(undefined);
            insisting.current = true;
            (document.getElementById(formId) as HTMLFormElement).requestSubmit();
          }}
          onTheirs={() => {
            setConflict(undefined);
            setBefore({ ...before, ...conflict.theirs });
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
};
