/**
 * The header of every list on a phone: one row with title and actions, one with search and filters, one with facets.
 */
import { beforeAll, expect, test } from 'vitest';
import { defaultPermissionsOf, entities } from '../../schema/index';
import { setUpTestBrowser, type Visitor } from '../support/visit';

/** Pixels from the top of the page's content to its first row. */
const maxHead = 170;

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin', { width: 'phone', lang: 'de' });
});

const lists = entities
  .filter(({ name }) => defaultPermissionsOf('admin').includes(`${name}.list`))
  .map(({ name }) => name);

test.each(lists)('on a phone the rows of %s start near the top', async (name) => {
  const { page, navigate } = visitor;
  await navigate(name === 'invitations' ? '/users/invitations' : `/${name}`);
  const row = page.locator('main :is(.sl-row-card, .sl-empty)').first();
  await row.waitFor();
  const [content, first] = await Promise.all([page.locator('#content').boundingBox(), row.boundingBox()]);
  expect((first?.y ?? 0) - (content?.y ?? 0)).toBeLessThanOrEqual(maxHead);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('the card of a run states the unit of its cleaned area', async () => {
  const { page, navigate } = visitor;
  await navigate('/runs');
  const label = page.locator('.sl-row-card dt', { hasText: 'Gereinigte Fläche' }).first();
  await label.waitFor();
  expect(await label.innerText()).toBe('Gereinigte Fläche m²');
});
