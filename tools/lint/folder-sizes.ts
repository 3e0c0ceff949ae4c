// Finds folders with too many source files.
import { dirname } from 'node:path'

/** The largest number of source files in one folder, tests excluded. */
export const MAX_FILES = 25

const isSource = (path: string) => /\.tsx?$/.test(path) && !/\.(test|sim|deep|spec)\.tsx?$/.test(path)

/**
 * One sentence for each folder that is too full.
 * @param paths files of the project, from the root, with `/`
 */
export function overfullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths.filter(isSource)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder}: ${count} source files, at most ${MAX_FILES}`)
}
