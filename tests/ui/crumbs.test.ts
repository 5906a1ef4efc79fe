import { describe, expect, it } from 'vitest';
import { crumbsOf, isLiteral } from '../../src/ui/crumbs';

describe('breadcrumbs', () => {
  it('start with the dashboard', () => {
    expect(crumbsOf('/')).toEqual([{ headerName: 'frame.dashboard' }]);
  });

  it('link the list and the record, but not the current page', () => {
    expect(crumbsOf('/machines/7/edit')).toEqual([
      { headerName: 'resources.machines.plural', link: '/machines' },
      { headerName: '#7', link: '/machines/7' },
      { headerName: 'form.edit' },
    ]);
  });

  it('lead from an invitation to the users page', () => {
    expect(crumbsOf('/invitations/7')).toEqual([
      { headerName: 'resources.users.plural', link: '/users' },
      { headerName: 'resources.invitations.plural', link: '/invitations' },
      { headerName: '#7' },
    ]);
  });

  it('show a segment that no page has as it is', () => {
    expect(crumbsOf('/constructor')).toEqual([{ headerName: '#constructor' }]);
  });

  it('include the administration', () => {
    expect(crumbsOf('/admin/companies/addcompany').map(({ headerName }) => headerName)).toEqual([
      'frame.admin',
      'admin.crm',
      'admin.add_company',
    ]);
  });

  it('have a label for each tab of a machine', () => {
    const tabs = ['logs', 'location', 'statistics', 'service'];
    expect(tabs.map((tab) => crumbsOf(`/machines/7/${tab}`).at(-1)?.headerName)).toEqual([
      'machine.logs',
      'machine.location',
      'machine.statistics',
      'service.title',
    ]);
  });

  it('tolerate a malformed escape in the URL', () => {
    expect(crumbsOf('/machines/%E0%A4')).toHaveLength(2);
  });

  it.each([
    ['resources.machines.plural', false],
    ['Äpfel GmbH', true],
    ['SC-00007', true],
    ['#7', true],
    ['7 machines', true],
  ])('treat %s as a literal segment: %s', (headerName, literal) => {
    expect(isLiteral({ headerName })).toBe(literal);
  });
});
