import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EmailAddress } from '../../src/ui/EmailAddress';

test('an e-mail address can wrap after its @ and dots', () =>
  expect(renderToStaticMarkup(<EmailAddress email="jo.an@north.example" />)).toBe(
    'jo.<wbr/>an@<wbr/>north.<wbr/>example',
  ));
