import { useTranslate } from 'ra-core';
import type { Entity } from '../../../schema/dsl/entity';
import { invitations } from '../../../schema/entities/invitations';
import { users } from '../../../schema/entities/users';
import type { RenderBulkActions } from '../../crud/list/BulkBar';
import { type ListEmbedding, ListPage } from '../../crud/list/ListPage';
import { useClearLists } from '../../layout/useClearLists';
import { can } from '../../providers/auth';
import { EmptyState } from '../../ui/EmptyState';
import { PageHead } from '../../ui/PageHead';
import { TabBar } from '../../ui/TabBar';
import { GrantRole } from './GrantRole';

const paths = { users: '/users', invitations: '/users/invitations' } as const;

/**
 * Users and invitations as tabs. No tabs if the user may not list invitations, or inside a page that has its own tabs.
 */
const People = ({
  entity,
  open,
  embedded,
  syncsAddress,
}: ListEmbedding & { entity: Entity; open: keyof typeof paths }) => {
  const translate = useTranslate();
  const clearLists = useClearLists();
  const tabs = !embedded && can('invitations', 'list') && (
    <TabBar
      label={translate('resources.users.plural')}
      tabs={(['users', 'invitations'] as const).map((name) => ({
        to: paths[name],
        label: translate(`resources.${name}.plural`),
      }))}
      current={paths[open]}
      onChosen={clearLists}
    />
  );
  return (
    <ListPage
      entity={entity}
      embedded={embedded}
      syncsAddress={syncsAddress}
      tabs={tabs}
      moreBulk={open === 'users' && can('users', 'edit') ? grantRole : undefined}
    />
  );
};

const grantRole: RenderBulkActions = ({ target, run, clearSelection }) => (
  <GrantRole target={target} run={run} onDone={clearSelection} />
);

export const UsersList = (embedding: ListEmbedding) => <People {...embedding} entity={users} open="users" />;

/** Open to every role (specification, section 2); shows a notice to users who may not list invitations. */
export const InvitationsList = (embedding: ListEmbedding) => {
  const translate = useTranslate();
  if (can('invitations', 'list')) return <People {...embedding} entity={invitations} open="invitations" />;
  const title = translate('resources.invitations.plural');
  return (
    <>
      {!embedding.embedded && <PageHead title={title} />}
      <EmptyState title={translate('list.no_access')} text={translate('list.no_access_text')} />
    </>
  );
};
