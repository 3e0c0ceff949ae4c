// The order of unit test files: those that take long start first.
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Files that take more than 10 s, and projects of few files. A fresh clone has no durations of an earlier run, and one of
 * these that started last would run alone at the end. The first file starts the object store, for which the project
 * `unit-s3` would wait with every worker.
 */
export const early: readonly string[] = [
  'unit-servers',
  'server/adapters/files/object-store.test.ts',
  'server/stopping.test.ts',
  'server/main.test.ts',
  'server/traces.test.ts',
  'server/backup-embedded.test.ts',
  'tools/lint-rules.test.ts',
  'unit-s3',
  'server/modules/uploads/while-moved.long.test.ts',
  'server/cli/database.long.test.ts',
  'server/storage-move.long.test.ts',
  'server/restore-killed.long.test.ts',
  'server/adapters/database/replicas/replicas.long.test.ts',
  'server/redis-cluster.long.test.ts',
  'server/cli/database-move.long.test.ts',
  'server/two-versions.long.test.ts',
  'server/identity-killed.long.test.ts',
  'server/modules/messages/media.test.ts',
  'server/modules/media/forged.test.ts',
  'server/sweeps.test.ts',
  'server/adapters/s3/s3-upload-bytes.test.ts',
  'server/growth.test.ts',
  'server/modules/media/access-table.test.ts',
  'server/adapters/media/maker.test.ts',
  'server/server-keys.test.ts',
  'server/backup-drill.test.ts',
  'server/migrate.test.ts',
  'server/private-files.test.ts',
  'server/container.test.ts',
  'server/adapters/media/fuzz.test.ts',
  'server/adapters/media/formats.test.ts',
  'sw/sim/server.sim.ts',
  'sw/sim/planted.sim.ts',
]

/** The place of a file of a project in the order; files of the same place stay in vitest's order. */
export function placeOf(project: string, file: string): number {
  const place = early.findIndex((it) => it === project || file.endsWith(`/${it}`))
  return place === -1 ? early.length : place
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
