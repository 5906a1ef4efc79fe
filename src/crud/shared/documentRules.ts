/**
 * What may be uploaded as a document (specification, section 5), and with a service entry; the server looks at the
 * content as well.
 */
import type { ProblemKey } from '../../../schema/dsl/checks';

export const documentEndings = ['docx', 'doc', 'pdf'] as const;
export const paperEndings = [...documentEndings, 'jpg', 'jpeg', 'png'] as const;
const mostBytes = 15 * 1024 * 1024;

/** What is wrong with a chosen file, or `undefined`. */
export function documentProblem(
  { name, size }: { name: string; size: number },
  endings: readonly string[] = documentEndings,
): ProblemKey | undefined {
  const [, stem, ending] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  if (stem !== undefined && stem.trim() === '') return 'file_name';
  if (!endings.includes(ending?.toLowerCase() ?? ''))
    return endings === documentEndings ? 'document_type' : 'attachment_type';
  return size > mostBytes ? 'document_size' : undefined;
}
