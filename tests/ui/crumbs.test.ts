import { describe, expect, it } from 'vitest';
import { crumbsOf, isLiteral } from '../../src/ui/crumbs';

describe('breadcrumbs (specification 2 and 3)', () => {
  it('names the dashboard at the start', () => {
    expect(crumbsOf('/')).toEqual([{ headerName: 'frame.dashboard' }]);
  });

  it('leads from the list over the record to its form; the page itself has no link', () => {
    expect(crumbsOf('/machines/7/edit')).toEqual([
      { headerName: 'resources.machines.plural', link: '/machines' },
      { headerName: '#7', link: '/machines/7' },
      { headerName: 'form.edit' },
    ]);
  });

  it('leads from an invitation to the users beside it', () => {
    expect(crumbsOf('/invitations/7')).toEqual([
      { headerName: 'resources.users.plural', link: '/users' },
      { headerName: 'resources.invitations.plural', link: '/invitations' },
      { headerName: '#7' },
    ]);
  });

  it('follows the administration', () => {
    expect(crumbsOf('/admin/companies/addcompany').map(({ headerName }) => headerName)).toEqual([
      'frame.admin',
      'admin.crm',
      'admin.add_company',
    ]);
  });

  it('has a word for each tab of a machine', () => {
    const tabs = ['logs', 'location', 'statistics', 'service'];
    expect(tabs.map((tab) => crumbsOf(`/machines/7/${tab}`).at(-1)?.headerName)).toEqual([
      'machine.logs',
      'machine.location',
      'machine.statistics',
      'service.title',
    ]);
  });

  it('survives a broken escape in the address', () => {
    expect(crumbsOf('/machines/%E0%A4')).toHaveLength(2);
  });

  it.each([
    ['resources.machines.plural', false],
    ['Äpfel GmbH', true],
    ['SC-00007', true],
    ['#7', true],
    ['7 machines', true],
  ])('takes %s literally: %s', (headerName, literal) => {
    expect(isLiteral({ headerName })).toBe(literal);
  });
});
