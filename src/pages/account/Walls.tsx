import { useTranslate } from 'react-admin';
import type { OwnWall } from '../../../schema/endpoints/walls';
import { formatDayOf } from '../../i18n/format';
import { call } from '../../providers/call';
import { useConfirm } from '../../ui/ConfirmProvider';
import { RelativeTime } from '../../ui/RelativeTime';
import { Card } from './Card';
import { NewWall } from './NewWall';
import { OwnList } from './OwnList';
import { useAccountAction, useAccountQuery } from './useAccountQuery';

/** The user's walls: created, listed, revoked. */
export const Walls = () => {
  const translate = useTranslate();
  const confirm = useConfirm();
  const query = useAccountQuery('walls', () => call('GET /account/walls'));
  const run = useAccountAction('walls');

  const revoke = async ({ id, name }: OwnWall) => {
    const isConfirmed = await confirm({
      title: translate('account.token_revoke_title', { name }),
      description: translate('account.wall_revoke_text'),
      button: translate('account.token_revoke'),
    });
    if (isConfirmed) await run(() => call('DELETE /account/walls/{id}', { params: { id } }), 'toasts.wall_revoked');
  };

  return (
    <div className="sl-cards">
      <Card title={translate('account.new_wall')}>
        <NewWall />
      </Card>
      <Card title={translate('account.tabs.walls')}>
        <OwnList
          query={query}
          empty={translate('account.no_walls')}
          row={(wall) => ({
            title: wall.name,
            mark: Date.parse(wall.expires_at) < Date.now() ? translate('account.expired') : undefined,
            details: (
              <>
                <span>{translate('account.expires', { date: formatDayOf(wall.expires_at) })}</span>
                <span>
                  {wall.last_used_at ? (
                    <>
                      {translate('account.last_used')} <RelativeTime value={wall.last_used_at} />
                    </>
                  ) : (
                    translate('account.never_used')
                  )}
                </span>
              </>
            ),
            action: (
              <button type="button" className="sl-button" onClick={() => void revoke(wall)}>
                {translate('account.token_revoke')}
              </button>
            ),
          })}
        />
      </Card>
    </div>
  );
};
