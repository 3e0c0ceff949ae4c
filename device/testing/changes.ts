// Records the changes that a test emits.
import { deleteDB } from 'idb'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase } from '#device/database/database.ts'

/** The test runner's hooks: `device` does not import the runner. */
interface Hooks {
  readonly beforeEach: (work: () => void) => void
  readonly afterEach: (work: () => Promise<void>) => void
}

/** @returns the changes since the test began; `length = 0` leaves out those of its set-up */
export function recordChanges({ beforeEach, afterEach }: Hooks): Change[] {
  const changes: Change[] = []
  let stop = () => {}
  beforeEach(() => {
    changes.length = 0
    stop = onChange((change) => changes.push(change))
  })
  afterEach(async () => {
    stop()
    await closeDatabase()
    await deleteDB('todoke')
  })
  return changes
}

/** The changes that `work` emits. */
export async function changesDuring(work: () => Promise<unknown>): Promise<Change[]> {
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await work()
  stop()
  return changes
}
