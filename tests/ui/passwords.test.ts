import { describe, expect, it } from 'vitest';
import { passwordRules, satisfiesRule } from '../../src/pages/session/rules';

const satisfiedRules = (password: string) => passwordRules.filter((rule) => satisfiesRule(rule, password));

describe('password rules, evaluated separately', () => {
  it.each([
    ['', []],
    ['abc', []],
    ['7', ['password_digit']],
    ['aB', ['password_letters']],
    ['!', ['password_special']],
    ['abcdefgh', ['password_length']],
    ['aB7!', ['password_letters', 'password_digit', 'password_special']],
    ['Sweep1ng!', [...passwordRules]],
    [`Aa1!${'x'.repeat(130)}`, ['password_letters', 'password_digit', 'password_special']],
  ])('%j satisfies %j', (password, rules) => {
    expect(satisfiedRules(password)).toEqual(rules);
  });
});
