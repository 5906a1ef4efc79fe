/** On a phone everything that is tapped is at least 44 px high and wide, for thumbs and gloves. */
import { expect, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';

/** Pixels. */
const minTarget = 44;

const testBrowser = setUpTestBrowser();

/** Links within text, tables and rankings, bars of charts, and the bar of states, whose links are repeated below it. */
const exemptSelector =
  '.sl-skip, .sl-states__bar, .sl-strip__bar, .sl-fleet__body, .leaflet-pane, p, dd, table, .sl-ranking';

/** Targets with less room than `min`, measured by what a tap hits; the frame of an input belongs to it. */
function smallTargets({ min, exempt }: { min: number; exempt: string }): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, [role="tab"]')];
  const isHit = (target: Element, x: number, y: number): boolean => {
    const hitElement = document.elementFromPoint(x, y);
    const frame = target.matches('input') && target.closest('label, search, .sl-field-box, .sl-list-search');
    return (frame || target).contains(hitElement);
  };
  const reach = (isAt: (distance: number) => boolean): number => {
    let distance = 0;
    while (distance < min && isAt(distance + 1)) distance += 1;
    return distance;
  };
  return targets.flatMap((target) => {
    if (target.closest(exempt)) return [];
    target.scrollIntoView({ block: 'center', inline: 'center' });
    const { left, top, width, height } = target.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (width <= 1 || !isHit(target, x, y)) return [];
    const targetWidth = reach((d) => isHit(target, x + d, y)) + reach((d) => isHit(target, x - d, y)) + 1;
    const targetHeight = reach((d) => isHit(target, x, y + d)) + reach((d) => isHit(target, x, y - d)) + 1;
    const name = target.getAttribute('aria-label') ?? target.innerText.trim();
    return targetHeight >= min && targetWidth >= min
      ? []
      : [`${targetWidth} × ${targetHeight}: ${target.className} ${name}`];
  });
}

const pages: [RoleName | undefined, string][] = [
  [undefined, '/login'],
  [undefined, '/forgotpassword'],
  ['operator', '/'],
  ['operator', '/machines'],
  ['operator', '/machines?view=timeline'],
  ['operator', '/machines/{machine}'],
  ['operator', '/machines/{machine}/service'],
  ['operator', '/account'],
  ['site_manager', '/'],
  ['site_manager', '/runs'],
  ['site_manager', '/locations/{location}/floors'],
  ['customer_admin', '/users'],
];

test.each(pages)('as %s, %s', async (role, path) => {
  const { page, open, api } = await testBrowser.visit(role, { width: 'phone', lang: 'de' });
  const firstOf = async (list: string) =>
    (await api<{ data: { id: number }[] }>('GET', `${list}?per_page=1`)).data[0]?.id;
  const ids = role && { machine: await firstOf('machines'), location: await firstOf('locations') };
  await open(path.replace('{machine}', String(ids?.machine)).replace('{location}', String(ids?.location)));
  await waitUntilSettled(page);
  expect(await page.evaluate(smallTargets, { min: minTarget, exempt: exemptSelector })).toEqual([]);
});
