/**
 * Finds scripts, external references and excessive expansion in an SVG. Large files take long, so only `planWorker.ts`
 * may call it. Pure functions.
 */
import { type PlanProblem, planLimits } from './planLimits';

/**
 * Returns a problem for scripts, event handlers, foreign content, entities and references to other files, because the
 * renderer would ignore most of them and draw an incomplete plan. Also for an SVG that is too large or has filters.
 */
export function svgProblem(text: string): PlanProblem | undefined {
  if (text.length > planLimits.svg) return { text: 'plan_complex' };
  if (/<!ENTITY/i.test(text)) return { text: 'plan_active' };
  const doctypes = text.split(/<!DOCTYPE/i).slice(1);
  if (doctypes.length > 1 || doctypes.some((doctype) => /^[^>]*\[/.test(doctype))) return { text: 'plan_active' };
  const textWithoutComments = withoutComments(text);
  if (/<(?:\w+:)?(?:script|foreignObject|iframe|object|embed|handler|animate\w*|set)\b/i.test(textWithoutComments))
    return { text: 'plan_active' };
  if (/\son\w+\s*=/i.test(textWithoutComments) || /javascript:/i.test(textWithoutComments))
    return { text: 'plan_active' };
  if (/<\?xml-stylesheet|@import/i.test(textWithoutComments) || /<(?:\w+:)?image\b/i.test(textWithoutComments))
    return { text: 'plan_external' };
  const references = [...findQuotedValues(textWithoutComments), ...findUrls(textWithoutComments)];
  if (references.some((to) => !to.startsWith('#'))) return { text: 'plan_external' };
  const count = (pattern: RegExp) => textWithoutComments.match(pattern)?.length ?? 0;
  const isLarge = count(/<\w/g) > planLimits.elements || count(/<(?:\w+:)?use\b/gi) > planLimits.copies;
  return isLarge || /<(?:\w+:)?(?:filter|fe\w+)\b/i.test(textWithoutComments) ? { text: 'plan_complex' } : undefined;
}

// The functions below split the text, because a pattern would search to the end of the text for each missing end.

const withoutComments = (text: string): string =>
  text
    .split('<!--')
    .map((segment, index) => {
      const end = index === 0 ? -1 : segment.indexOf('-->');
      return end === -1 ? segment : segment.slice(end + 3);
    })
    .join('');

/** Values of `href` and `src`. */
const findQuotedValues = (text: string): string[] =>
  text
    .split(/\b(?:href|src)\s*=\s*(?=["'])/i)
    .slice(1)
    .map((segment) => segment.slice(1, segment.indexOf(segment[0] as string, 1)).trimStart());

/** Content of `url(…)` without quotes; empty if unterminated. */
const findUrls = (text: string): string[] =>
  text
    .split(/\burl\(/i)
    .slice(1)
    .map((segment) => segment.slice(0, Math.max(0, segment.indexOf(')'))).replace(/^[\s"']*/, ''));
