/**
 * Accepted files for documents (specification, section 5) and service entries. The server also checks their content.
 */
import type { ProblemKey } from '../../../schema/dsl/checks';

export const documentExtensions = ['docx', 'doc', 'pdf'] as const;
export const serviceFileExtensions = [...documentExtensions, 'jpg', 'jpeg', 'png'] as const;
const maxBytes = 15 * 1024 * 1024;

/** Problem of a chosen file; `undefined` if it is accepted. */
export function documentProblem(
  { name, size }: { name: string; size: number },
  extensions: readonly string[] = documentExtensions,
): ProblemKey | undefined {
  const [, stem, extension] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  if (stem !== undefined && stem.trim() === '') return 'file_name';
  if (!extensions.includes(extension?.toLowerCase() ?? ''))
    return extensions === documentExtensions ? 'document_type' : 'attachment_type';
  return size > maxBytes ? 'document_size' : undefined;
}
