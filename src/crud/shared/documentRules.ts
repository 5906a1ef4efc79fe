/**
 * Accepted uploads for documents (specification, section 5) and service entries; the server also checks the content.
 */
import type { ProblemKey } from '../../../schema/dsl/checks';

export const documentEndings = ['docx', 'doc', 'pdf'] as const;
export const paperEndings = [...documentEndings, 'jpg', 'jpeg', 'png'] as const;
const maxBytes = 15 * 1024 * 1024;

/** Problem of a chosen file, or `undefined`. */
export function documentProblem(
  { name, size }: { name: string; size: number },
  endings: readonly string[] = documentEndings,
): ProblemKey | undefined {
  const [, stem, ending] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  if (stem !== undefined && stem.trim() === '') return 'file_name';
  if (!endings.includes(ending?.toLowerCase() ?? ''))
    return endings === documentEndings ? 'document_type' : 'attachment_type';
  return size > maxBytes ? 'document_size' : undefined;
}
