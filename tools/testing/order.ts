// The order of unit test files: those that take long start first.
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Files that take more than 10 s. A fresh clone has no durations of an earlier run, and one of these that started last would
 * run alone at the end.
 */
export const longFiles: readonly string[] = [
  'server/modules/media/access-table.test.ts',
  'server/modules/identity/earlier-uploads.test.ts',
  'server/main.test.ts',
  'server/adapters/files/object-store.test.ts',
  'server/traces.test.ts',
  'server/adapters/s3/s3-upload-bytes.test.ts',
  'server/adapters/files/moving/moving-upload-bytes.test.ts',
  'server/modules/uploads/while-moved.long.test.ts',
  'server/cli/database.long.test.ts',
  'server/growth.test.ts',
  'server/storage-move.long.test.ts',
  'server/cli/database-move.long.test.ts',
  'server/restore-killed.long.test.ts',
  'server/sweeps.test.ts',
  'server/redis-cluster.long.test.ts',
  'server/adapters/database/replicas/replicas.test.ts',
  'server/adapters/media/fuzz.test.ts',
  'server/adapters/media/formats.test.ts',
  'server/modules/messages/media.test.ts',
  'server/identity-killed.long.test.ts',
  'server/two-versions.long.test.ts',
]

/** Projects with few files, which start before the others for the same reason. */
const smallProjects: readonly string[] = ['unit-servers', 'unit-s3']

/** The place of a file of a project in the order; files of the same place stay in vitest's order. */
export function placeOf(project: string, file: string): number {
  const small = smallProjects.indexOf(project)
  if (small !== -1) return small
  const long = longFiles.findIndex((it) => file.endsWith(`/${it}`))
  return smallProjects.length + (long === -1 ? longFiles.length : long)
}

/** Orders files by their place, then as vitest does. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) => placeOf(a.project.name, a.moduleId) - placeOf(b.project.name, b.moduleId),
    )
  }
}
