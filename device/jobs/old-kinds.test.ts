// Jobs of database version 2, from before there were kinds.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { migrations } from '#device/database/migrations.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { listJobs, unshownReceipts } from './jobs.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('jobs queued before there were kinds are posts and continue', async () => {
  const old = await openDB('todoke', 2, {
    upgrade: (db, _from, _to, tx) => {
      for (const upgrade of migrations.slice(0, 2)) void upgrade(db as never, tx as never)
    },
  })
  const draft = emptyDraft(AOI, NOW)
  const fileId = newId()
  const job = {
    id: draft.id,
    ownerId: AOI,
    key: newId(),
    protocol: 'tus',
    form: {
      content: '前の版から',
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: 'images',
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    facts: {
      addFirst: false,
      media: [
        {
          id: fileId,
          size: 5,
          acked: 5,
          begun: true,
          url: null,
          done: true,
          paused: false,
          resends: { digest: 0, gone: 1 },
          discard: false,
        },
      ],
      addTried: true,
      post: null,
      ending: { is: 'open' },
      attempts: 2,
      wait: { until: 9, told: false },
    },
    createdAt: NOW,
  }
  await old.put('jobs', job)
  await old.put('receipts', { id: newId(), ownerId: AOI, postId: '1', releasedAt: NOW, told: false })
  old.close()
  const { facts: _, ...rest } = job
  expect(await listJobs(AOI)).toEqual([
    {
      ...rest,
      form: { ...rest.form, title: '', introduction: '', commentsClosed: false, filmDeclaration: null },
      kind: 'post',
      files: [{ id: fileId, size: 5, state: { is: 'sent', url: null }, resends: { digest: 0, gone: 1 } }],
      stage: { is: 'requested' },
      readds: 0,
      attempts: 2,
      wait: { until: 9, told: false },
    },
  ])
  expect(await unshownReceipts(AOI)).toMatchObject([{ kind: 'post', postId: '1' }])
})
