// Planted faults of the device's storage.
import type { Fault } from '../fault.ts'

export const deviceFaults: readonly Fault[] = [
  {
    name: 'messages of a refused conversation stay on the device',
    file: 'device/cache/responses.ts',
    find: `    if (userId !== undefined) await evictMessagesIn(tx, ownerId, userId)
`,
    replace: '    void [userId, evictMessagesIn]\n',
    tests: ['device/cache/eviction.test.ts'],
    caughtBy: 'a conversation that the server refuses is removed with its messages',
  },
  {
    name: 'a file counts as copied when its last chunk is stored',
    file: 'device/files/chunks.ts',
    find: 'bytes.stored / (chunksOf(size) + 1)',
    replace: 'bytes.stored / Math.max(1, chunksOf(size))',
    tests: ['device/files/chunks.test.ts'],
    caughtBy: 'a file is completely copied when its row is sealed',
  },
  {
    name: 'a draft is changed from the draft of another person with its id',
    file: 'device/drafts/drafts.ts',
    find: "return draft?.ownerId === ownerId ? { is: 'stored', draft } : { is: 'unreadable' }",
    replace: "return draft ? { is: 'stored', draft } : { is: 'unreadable' }",
    tests: ['device/session/owners.test.ts'],
    caughtBy: 'not changed by another person’s draft',
  },
  {
    name: 'a draft is discarded for another person',
    file: 'device/drafts/drafts.ts',
    find: "if (draft?.ownerId !== ownerId || (await tx.objectStore('jobs').getKey(id))) return false",
    replace: "if (await tx.objectStore('jobs').getKey(id)) return false",
    tests: ['device/session/owners.test.ts'],
    caughtBy: 'not discarded for another person',
  },
  {
    name: 'a draft submitted while the deliveries are listed is in neither list',
    file: 'device/jobs/deliveries.ts',
    find: `  const rows = await transact(['early'], 'readonly', async (tx) =>
    parseRows('early', await tx.objectStore('early').index('owner').getAll(ownerId)),
  )
  // Jobs are read after preuploads: a draft submitted in between is in both lists, never in none.
  const jobs = await listJobs(ownerId)
`,
    replace: `  const jobs = await listJobs(ownerId)
  const rows = await transact(['early'], 'readonly', async (tx) =>
    parseRows('early', await tx.objectStore('early').index('owner').getAll(ownerId)),
  )
`,
    tests: ['device/jobs/deliveries.test.ts'],
    caughtBy: 'listed once, as a post',
  },
  {
    name: 'a repeated mutation is stored again under a new sequence number',
    file: 'device/mutations/coalescing.ts',
    find: `  if (last.form.mutation.name === mutation.name) return { is: 'already' }
`,
    replace: '',
    tests: ['device/mutations/mutations.test.ts'],
    caughtBy: 'a repeated mutation changes nothing',
  },
  {
    name: 'sequence numbers go back with the clock',
    file: 'device/mutations/mutations.ts',
    find: 'number: Math.max(now, number + 1)',
    replace: 'number: now',
    tests: ['device/mutations/mutations.test.ts'],
    caughtBy: 'sequence numbers increase',
  },
  {
    name: 'files of a published post are uploaded again',
    file: 'device/jobs/preupload.ts',
    find: `    if (await tx.objectStore('receipts').getKey(draftId)) return false
`,
    replace: '',
    tests: ['device/jobs/preupload.test.ts'],
    caughtBy: 'no file of a published post is preuploaded again',
  },
  {
    name: 'files of a submitted draft are uploaded as a preupload too',
    file: 'device/jobs/preupload.ts',
    find: `    if (await tx.objectStore('jobs').getKey(draftId)) return false
`,
    replace: '',
    tests: ['device/jobs/preupload.test.ts'],
    caughtBy: 'only before its submission',
  },
  {
    name: 'a submission ends a wait that the server requested',
    file: 'device/jobs/new-files.ts',
    find: 'preupload.wait.told ? preupload.wait : noFailures.wait',
    replace: 'noFailures.wait',
    tests: ['device/jobs/preupload.test.ts'],
    caughtBy: 'wait requested by the server',
  },
  {
    name: 'a submitted draft does not lose its preupload',
    file: 'device/jobs/jobs.ts',
    find: `      await tx.objectStore('early').delete(draftId)
`,
    replace: '',
    tests: ['device/jobs/preupload.test.ts'],
    caughtBy: 'a submission takes over',
  },
  {
    name: 'a submission loses the removal of a file from the server',
    file: 'device/jobs/new-files.ts',
    find: 'files: [...sent, ...leftovers]',
    replace: 'files: sent',
    tests: ['device/jobs/preupload.test.ts'],
    caughtBy: 'discarded on the server',
  },
  {
    name: 'an older version of a draft than the stored one is submitted',
    file: 'device/jobs/jobs.ts',
    find: `      if (found.is === 'stored' && found.draft.revision !== shown.revision && !samePost(found.draft, shown))
        return { is: 'changed', stored: found.draft }
`,
    replace: '',
    tests: ['device/drafts/draft-edits.test.ts'],
    caughtBy: 'refused when the device has a newer version',
  },
  {
    name: 'a published draft can be submitted again',
    file: 'device/drafts/drafts.ts',
    find: `  if (await tx.objectStore('receipts').getKey(id)) return { is: 'submitted' }
`,
    replace: '',
    tests: ['device/jobs/device.test.ts'],
    caughtBy: 'cannot be submitted again',
  },
  {
    name: 'a published post leaves no receipt',
    file: 'device/jobs/jobs.ts',
    find: `    await tx.objectStore('receipts').put({ kind, id, ownerId, postId, releasedAt, told: false })
`,
    replace: '',
    tests: ['device/jobs/device.test.ts'],
    caughtBy: 'leaves only its receipt',
  },
  {
    name: 'two tabs both announce one published post',
    file: 'device/jobs/jobs.ts',
    find: `    if (!receipt || receipt.told) return false
`,
    replace: `    if (!receipt) return false
`,
    tests: ['device/jobs/device.test.ts'],
    caughtBy: 'leaves only its receipt',
  },
  {
    name: 'a draft is discarded while its post is sent',
    file: 'device/drafts/drafts.ts',
    find: "if (draft?.ownerId !== ownerId || (await tx.objectStore('jobs').getKey(id))) return false",
    replace: 'if (draft?.ownerId !== ownerId) return false',
    tests: ['device/jobs/device.test.ts'],
    caughtBy: 'neither be changed nor discarded',
  },
  {
    name: 'the refusal of an old token ends a new session',
    file: 'device/session/session.ts',
    find: `    if (token !== undefined && session?.token !== token) return false
`,
    replace: '',
    tests: ['device/jobs/device.test.ts'],
    caughtBy: 'refused token ends only',
  },
  {
    name: 'a post is submitted without files that it shows',
    file: 'device/jobs/jobs.ts',
    find: `      if (mediaIds.length > 0) return { is: 'missing', mediaIds }
`,
    replace: '',
    tests: ['device/drafts/draft-edits.test.ts'],
    caughtBy: 'refused when files have no rows',
  },
  {
    name: 'a photo is submitted before its conversion',
    file: 'device/jobs/jobs.ts',
    find: `      if (named.some((row) => row.conversion.is !== 'ready')) return { is: 'unconverted' }
`,
    replace: '',
    tests: ['device/files/conversions.test.ts'],
    caughtBy: 'neither submitted nor preuploaded before its photos',
  },
  {
    name: 'values that the server cannot send again are written relaxed',
    file: 'device/jobs/jobs.ts',
    find: "durability: 'strict' | 'relaxed' = 'strict'",
    replace: "durability: 'strict' | 'relaxed' = 'relaxed'",
    tests: ['device/jobs/jobs.test.ts'],
    caughtBy: 'a receipt are written strictly',
  },
  {
    name: 'a released job is dropped, and its draft is restored',
    file: 'device/jobs/jobs.ts',
    find: `job?.stage.is !== 'cancelled' && job?.stage.is !== 'failed'`,
    replace: `!job || job.stage.is === 'open'`,
    tests: ['device/jobs/jobs.test.ts'],
    caughtBy: 'a job whose post is released is not dropped',
  },
  {
    name: 'a changed row loses fields of a newer version of the app',
    file: 'device/jobs/jobs.ts',
    find: `else await tx.objectStore('jobs').put({ ...raw, ...next })`,
    replace: `else await tx.objectStore('jobs').put(next)`,
    tests: ['device/jobs/jobs.test.ts'],
    caughtBy: 'fields of another version',
  },
  {
    name: 'removing the last file deletes it from its draft',
    file: 'device/jobs/jobs.ts',
    find: `    if (next.stage.is === 'cancelled') return true
`,
    replace: '',
    tests: ['device/jobs/jobs.test.ts'],
    caughtBy: 'removing the last file',
  },
  {
    name: 'a file removed from a job leaves its bytes on the device',
    file: 'device/jobs/jobs.ts',
    find: `    await eraseMedia(tx, [mediaId])
`,
    replace: '',
    tests: ['device/jobs/jobs.test.ts'],
    caughtBy: 'removed from its draft',
  },
  {
    name: 'a sign-out deletes files of submitted posts',
    file: 'device/session/purge.ts',
    find: 'row.ownerId === ownerId && !jobs.has(row.draftId)',
    replace: 'row.ownerId === ownerId',
    tests: ['device/session/purge.test.ts'],
    caughtBy: 'leaves a post that was submitted',
  },
  {
    name: 'one chunk too few is counted',
    file: 'device/files/chunks.ts',
    find: "bytes: { is: 'copying', stored: last + 1 }",
    replace: "bytes: { is: 'copying', stored: last }",
    tests: ['sw/queue/device-store.test.ts'],
    caughtBy: 'page ended after its last chunk',
  },
  {
    name: 'another file of the same size is sent in place of the picked one',
    file: 'device/files/page-held.ts',
    find: `  if ((await digestOf(file)) !== media.bytes.digest) return false
`,
    replace: '',
    tests: ['sw/queue/picked.test.ts'],
    caughtBy: 'another file of the same size',
  },
  {
    name: 'fewer bytes than requested are sent',
    file: 'device/files/page-held.ts',
    find: 'data instanceof ArrayBuffer && data.byteLength === to - from',
    replace: 'data instanceof ArrayBuffer',
    tests: ['sw/queue/picked.test.ts'],
    caughtBy: 'a file that became shorter',
  },
]
