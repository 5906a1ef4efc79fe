/**
 * React-admin's own texts in languages that extend a third-party package: where each text comes from, and that none is
 * missing.
 */
import english from 'ra-language-english';
import french from 'ra-language-french';
import german from 'ra-language-german';
import { describe, expect, test } from 'vitest';
import { loadReactAdmin } from '../../src/i18n/loadReactAdmin';
import { flattenTexts } from '../support/findTextProblems';

const de = await loadReactAdmin('de');
const fr = await loadReactAdmin('fr');

/** Normalizes French spaces and apostrophes, in which texts may differ. */
const normalize = (text: string) => text.replaceAll('\u00a0', ' ').replaceAll('’', "'");
const keysOf = (texts: object) => flattenTexts(texts).map(([key]) => key);
const compareTexts = (ownTexts: object, thirdPartyTexts: object) => {
  const packageTexts = new Map(flattenTexts(thirdPartyTexts));
  const sharedTexts = flattenTexts(ownTexts).filter(([key]) => packageTexts.has(key));
  const isSame = ([key, text]: [string, string]) => normalize(packageTexts.get(key) as string) === normalize(text);
  return {
    /** Texts equal to those of the package. */
    identical: sharedTexts.filter(isSame).map(([key]) => key),
    /** Texts that differ from those of the package. */
    reworded: sharedTexts.filter((entry) => !isSame(entry)).map(([key]) => key),
    /** Texts that the package lacks. */
    added: keysOf(ownTexts).filter((key) => !packageTexts.has(key)),
    /** Texts that only the package has. */
    missing: keysOf(thirdPartyTexts).filter((key) => !keysOf(ownTexts).includes(key)),
  };
};

describe.each([
  { language: 'German', texts: de },
  { language: 'French', texts: fr },
])('$language', ({ texts }) => {
  test('has every text of react-admin, and no other', () => {
    expect(keysOf(texts).sort()).toEqual(keysOf(english).sort());
    expect(
      flattenTexts(texts).filter(([key, text]) => text === '' || (text.trim() === '' && key !== 'ra.boolean.null')),
    ).toEqual([]);
  });

  test('uses the variables that react-admin passes', () => {
    const expected = new Map(flattenTexts(english));
    const variables = (text: string) => text.match(/%\{\w+\}/g) ?? [];
    const foreignTexts = flattenTexts(texts).filter(([key, text]) =>
      variables(text).some((name) => !(expected.get(key) ?? '').includes(name)),
    );
    expect(foreignTexts).toEqual([]);
  });
});

test('some German texts come from the package, all others are ours', () => {
  const { identical, missing } = compareTexts(de, german);
  // The package's older key for the link to the previous page.
  expect(missing).toEqual(['ra.navigation.prev']);
  expect(identical).toMatchInlineSnapshot(`
    [
      "ra.action.add_filter",
      "ra.action.back",
      "ra.action.cancel",
      "ra.action.clear_input_value",
      "ra.action.confirm",
      "ra.action.delete",
      "ra.action.edit",
      "ra.action.export",
      "ra.action.list",
      "ra.action.refresh",
      "ra.action.remove",
      "ra.action.save",
      "ra.action.search",
      "ra.action.show",
      "ra.action.sort",
      "ra.action.unselect",
      "ra.boolean.true",
      "ra.boolean.false",
      "ra.boolean.null",
      "ra.page.list",
      "ra.page.not_found",
      "ra.message.are_you_sure",
      "ra.message.details",
      "ra.message.no",
      "ra.message.yes",
      "ra.navigation.page_rows_per_page",
      "ra.navigation.skip_nav",
      "ra.auth.user_menu",
      "ra.auth.password",
      "ra.auth.sign_in",
      "ra.auth.logout",
    ]
  `);
});

test('some French texts are ours, all others come from the package', () => {
  const { reworded, added, missing } = compareTexts(fr, french);
  expect(missing).toEqual([]);
  expect({ reworded, added }).toMatchInlineSnapshot(`
    {
      "added": [],
      "reworded": [
        "ra.action.edit",
        "ra.action.remove_filter",
        "ra.action.remove_all_filters",
        "ra.action.remove",
        "ra.page.not_found",
        "ra.page.empty",
        "ra.page.invite",
        "ra.page.access_denied",
        "ra.input.file.upload_several",
        "ra.input.file.upload_single",
        "ra.input.image.upload_several",
        "ra.input.image.upload_single",
        "ra.input.password.toggle_visible",
        "ra.input.password.toggle_hidden",
        "ra.message.invalid_form",
        "ra.message.loading",
        "ra.auth.email",
        "ra.validation.email",
        "ra.validation.oneOf",
        "ra.saved_queries.new_dialog_title",
        "ra.saved_queries.remove_label_with_name",
        "ra.saved_queries.remove_message",
      ],
    }
  `);
});
