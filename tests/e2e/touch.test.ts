/** On a phone everything that is tapped is at least 44 px high and wide, for thumbs and gloves. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { setUpTestBrowser, type Visitor } from '../support/visit';

/** Smallest width and height, in pixels. */
const minTarget = 44;

const testBrowser = setUpTestBrowser();

/** Links within text, tables and rankings, bars of charts, and the bar of states, whose links are repeated below it. */
const exemptSelector =
  '.sl-skip, .sl-states__bar, .sl-strip__bar, .sl-fleet__body, .leaflet-pane, p, dd, table, .sl-ranking';

/** Touch targets smaller than `min` px, measured by hit tests; an input includes its frame. */
function findSmallTargets({ min, exempt }: { min: number; exempt: string }): string[] {
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

const pages: [RoleName | undefined, string[]][] = [
  [undefined, ['/login', '/forgotpassword']],
  [
    'operator',
    ['/', '/machines', '/machines?view=timeline', '/machines/{machines}', '/machines/{machines}/service', '/account'],
  ],
  ['site_manager', ['/', '/runs', '/locations/{locations}/floors']],
  ['customer_admin', ['/users']],
];

describe.each(pages)('as %s', (role, paths) => {
  let visitor: Visitor;
  const ids: Record<string, number | undefined> = {};
  beforeAll(async () => {
    visitor = await testBrowser.visit(role, { width: 'phone', lang: 'de' });
    if (role)
      for (const list of ['machines', 'locations'])
        ids[list] = (await visitor.api<{ data: { id: number }[] }>('GET', `${list}?per_page=1`)).data[0]?.id;
  });

  test.each(paths)('the touch targets of %s are large enough', async (path) => {
    await visitor.navigate(path.replace(/\{(\w+)\}/, (_, list: string) => String(ids[list])));
    expect(await visitor.page.evaluate(findSmallTargets, { min: minTarget, exempt: exemptSelector })).toEqual([]);
  });
});
