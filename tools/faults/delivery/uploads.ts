// Planted faults of resumable uploads.
import type { Fault } from '../fault.ts'

export const uploadFaults: readonly Fault[] = [
  {
    name: 'bytes that waited for a removal create the file again',
    file: 'server/modules/uploads/patch.ts',
    find: `      await ownUpload(deps, chunk)
      return body.exclusively(chunk.id, async (hold, pieces) => {
        // After waiting, the previous request may have completed the upload, removed it, or numbered its parts.
        const row = await ownUpload(deps, chunk)
`,
    replace: `      const row = await ownUpload(deps, chunk)
      return body.exclusively(chunk.id, async (hold, pieces) => {
`,
    tests: ['server/modules/uploads/removed.test.ts'],
    caughtBy: 'behind a removal',
  },
  {
    name: 'bytes of another person are accepted',
    file: 'server/modules/uploads/receiving.ts',
    find: "if (row?.ownerId !== userId || row.received !== null) throw new ApiError('not_found')",
    replace: "if (!row || row.received !== null) throw new ApiError('not_found')",
    tests: ['server/modules/uploads/protocol.test.ts'],
    caughtBy: 'cannot be sent to or removed',
  },
  {
    name: 'bytes for an expired upload are accepted',
    file: 'server/modules/uploads/receiving.ts',
    find: `  if (row.expiredAt !== null) throw new ApiError('gone')
`,
    replace: '',
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'a week after its last byte',
  },
  {
    name: 'bytes at an earlier offset are accepted',
    file: 'server/modules/uploads/patch.ts',
    find: 'if (currentOffset !== offset) throw',
    replace: 'if (currentOffset < offset) throw',
    tests: ['server/modules/uploads/protocol.test.ts'],
    caughtBy: 'another offset is offset_mismatch',
  },
  {
    name: 'one byte more than was announced is accepted',
    file: 'server/modules/uploads/patch.ts',
    find: 'if ((chunk.bytes ?? 0) > remaining) throw',
    replace: 'if ((chunk.bytes ?? 0) > remaining + 1) throw',
    tests: ['server/modules/uploads/protocol.test.ts'],
    caughtBy: 'more than was announced',
  },
  {
    name: 'an announced length may be changed',
    file: 'server/modules/uploads/patch.ts',
    find: 'if (row.length !== null || length < offset) throw',
    replace: 'if (length < offset) throw',
    tests: ['server/modules/uploads/announced.test.ts'],
    caughtBy: 'announced a second time',
  },
  {
    name: 'uploads live for six days',
    file: 'server/modules/uploads/expiry.ts',
    find: 'UNHELD_LIFE = 7 * DAY',
    replace: 'UNHELD_LIFE = 6 * DAY',
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'a week after its last byte',
  },
  {
    name: 'identity documents that were not submitted live for a week',
    file: 'server/modules/uploads/expiry.ts',
    find: `    ['identity', IDENTITY_LIFE],
`,
    replace: '',
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'expires after a day',
  },
  {
    name: 'the removal of a held upload is answered as done',
    file: 'server/modules/uploads/tus.ts',
    find: `      if (outcome === 'held') throw new ApiError('upload_held')
`,
    replace: '',
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'upload_held',
  },
  {
    name: 'an upload that a post holds is removed',
    file: 'server/store/media/uploads.ts',
    find: `.delete(uploads)
      .where(and(eq(uploads.id, id), unheld(tx)))`,
    replace: `.delete(uploads)
      .where(eq(uploads.id, id))`,
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'upload_held',
  },
  {
    name: 'an expired upload is begun again by another person',
    file: 'server/store/media/uploads.ts',
    find: ' and ${uploads.ownerId} = ${upload.ownerId}',
    replace: '',
    tests: ['server/modules/uploads/expiry.test.ts'],
    caughtBy: 'begin an expired upload again under the same id',
  },
  {
    name: 'unfinished uploads are not counted',
    file: 'server/modules/uploads/tus.ts',
    find: `    await checkUsage(tx, ownerId, limits)
`,
    replace: '',
    tests: ['server/modules/uploads/usage.test.ts'],
    caughtBy: 'fourth unfinished upload',
  },
]
