import { useTranslate } from 'ra-core';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { invitations } from '../../../schema/entities/invitations';
import { useOwnClient } from '../../crud/fields/useOwnClient';
import { CreatePage } from '../../crud/record/CreatePage';
import { usePathOf } from '../../crud/shared/paths';
import { can, currentUser } from '../../providers/auth';
import { PageHead } from '../../ui/PageHead';
import { TabBar } from '../../ui/TabBar';
import { InviteMany } from './InviteMany';

/** The form for one invitation or many. The client is preset for users with a single client in scope. */
export const InviteUser = () => {
  const translate = useTranslate();
  const singlePath = usePathOf()(invitations.name, 'create');
  const manyPath = `${singlePath}?many=1`;
  const { isPending, values } = useOwnClient();
  const [search] = useSearchParams();
  // Most invited people share the inviter's language.
  const defaults = useMemo(() => ({ ...values, language_id: currentUser()?.language.id }), [values]);
  const isMany = search.get('many') !== null;
  if (isPending) return null;
  return (
    <>
      {isMany && <PageHead title={translate('resources.invitations.add')} />}
      {can('invitations', 'create') && (
        <TabBar
          label={translate('resources.invitations.add')}
          tabs={[
            { to: singlePath, label: translate('invite.one') },
            { to: manyPath, label: translate('invite.many') },
          ]}
          current={isMany ? manyPath : singlePath}
        />
      )}
      {isMany ? <InviteMany clientId={values?.client_id} /> : <CreatePage entity={invitations} defaults={defaults} />}
    </>
  );
};
