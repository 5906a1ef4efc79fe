/** What may be uploaded as a document (specification, section 5); the server looks at the content as well. */
import type { ProblemKey } from '../../../schema/dsl/checks';

export const documentEndings = ['docx', 'doc', 'pdf'] as const;
const mostBytes = 15 * 1024 * 1024;

/** What is wrong with a chosen file, or `undefined`. */
export function documentProblem({ name, size }: { name: string; size: number }): ProblemKey | undefined {
  const [, stem, ending] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  if (stem !== undefined && stem.trim() === '') return 'file_name';
  if (!documentEndings.some((known) => known === ending?.toLowerCase())) return 'document_type';
  return size > mostBytes ? 'document_size' : undefined;
}
