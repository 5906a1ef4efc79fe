import { useQueryClient } from '@tanstack/react-query';
import { type RaRecord, useDataProvider, useNotify, useRecordFromLocation, useTranslate } from 'ra-core';
import { useMemo } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Navigate, useNavigate } from 'react-router-dom';
import type { Entity } from '../../../schema/dsl/entity';
import { can } from '../../providers/auth';
import { PageHead } from '../../ui/PageHead';
import { writableOf } from '../shared/entities';
import { usePathOf } from '../shared/paths';
import { EntityForm, type FieldSelector, type GroupOverride } from './EntityForm';
import { blankValues } from './rules';

interface CreatePageProps {
  entity: Entity;
  /** Fields to omit. */
  omittedFields?: readonly string[];
  /** Initial values; those in the URL take precedence. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Path to open after creation; default: the page of the new row. */
  onCreated?: (row: RaRecord) => string;
  /** Path to open on Cancel; default: the list. */
  back?: string;
  groupOverride?: GroupOverride;
  hiddenFields?: FieldSelector;
  requiredFields?: FieldSelector;
}

const noFields: readonly string[] = [];

/**
 * The form for a new row, with initial values from `?source={...}`. Redirects users who may not create to the
 * dashboard.
 */
export const CreatePage = ({
  entity,
  omittedFields = noFields,
  defaults,
  onCreated,
  back,
  groupOverride,
  hiddenFields,
  requiredFields,
}: CreatePageProps) => {
  const pathOf = usePathOf();
  const translate = useTranslate();
  const notify = useNotify();
  const navigate = useNavigate();
  const client = useQueryClient();
  const provider = useDataProvider();
  const fromAddress = useRecordFromLocation();
  const names = useMemo(
    () => writableOf(entity, 'create').filter((name) => !omittedFields.includes(name)),
    [entity, omittedFields],
  );
  const values = useMemo(
    () => ({
      ...blankValues(entity, names),
      ...defaults,
      ...Object.fromEntries(Object.entries(fromAddress ?? {}).filter(([name]) => names.includes(name))),
    }),
    [entity, names, defaults, fromAddress],
  );
  if (!can(entity.name, 'create')) return <Navigate to="/" replace />;

  const save = async (formValues: FieldValues) => {
    const { data } = await provider.create<RaRecord>(entity.name, { data: formValues });
    notify(`resources.${entity.name}.added`, { type: 'success' });
    navigate(onCreated?.(data) ?? pathOf(entity.name, data.id));
    await client.invalidateQueries({ queryKey: [entity.name] });
  };
  return (
    <>
      <PageHead title={translate(`resources.${entity.name}.add`)} />
      <EntityForm
        entity={entity}
        names={names}
        values={values}
        save={save}
        onCancel={() => navigate(back ?? pathOf(entity.name))}
        groupOverride={groupOverride}
        hiddenFields={hiddenFields}
        requiredFields={requiredFields}
      />
    </>
  );
};
