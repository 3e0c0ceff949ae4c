// What people who are not signed in left on this device, for copying it out.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { sealMedia } from '#device/files/chunks.ts'
import { addMedia } from '#device/files/media.ts'
import { queueMutation } from '#device/mutations/mutations.ts'
import { saveSession } from '#device/session/session.ts'
import { writeSignedOutIn } from '#device/session/signed-out.ts'
import { identityJob, messageJob } from '#device/testing/jobs.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { newUser, submitStored } from '#device/testing/user.ts'
import { changeDraft, emptyDraft } from './drafts.ts'
import { listParkedLeftover, listLeftover } from './leftover.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const [aoi, ren, yu] = [newUser('葵'), newUser('蓮'), newUser('優')]

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

async function written(ownerId: string, content: string, at = NOW): Promise<string> {
  const draft = emptyDraft(ownerId, at)
  await changeDraft(draft, (it) => ({ ...it, content }), at)
  return draft.id
}

test('each person with unsent content is listed once, except the signed-in person', async () => {
  await saveSession({ token: 'a', user: yu })
  await written(yu.id, '優の下書き')
  await submitStored(await written(aoi.id, '葵の投稿'), aoi.id, NOW)
  await written(aoi.id, '葵の下書き')
  await written(aoi.id, ' ')
  await written(ren.id, '蓮の下書き')
  await transact(['settings'], 'readwrite', (tx) =>
    writeSignedOutIn(tx, {
      [aoi.id]: { name: '葵', chose: true },
      [ren.id]: { name: '', chose: false, closed: 'suspended' },
    }),
  )
  const held = await listParkedLeftover()
  expect(held).toHaveLength(2)
  expect(held.find((it) => it.ownerId === aoi.id)).toEqual({
    ownerId: aoi.id,
    name: '葵',
    unsent: { post: 1, identity: 0, message: 0 },
    drafts: 1,
    closed: undefined,
  })
  expect(held.find((it) => it.ownerId === ren.id)).toEqual({
    ownerId: ren.id,
    name: undefined,
    unsent: { post: 0, identity: 0, message: 0 },
    drafts: 1,
    closed: 'suspended',
  })
})

test('a person whose account was closed is listed without content, too', async () => {
  await transact(['settings'], 'readwrite', (tx) =>
    writeSignedOutIn(tx, {
      [aoi.id]: { name: '', chose: false, closed: 'suspended' },
      [ren.id]: { name: '蓮', chose: false },
    }),
  )
  expect(await listParkedLeftover()).toEqual([
    {
      ownerId: aoi.id,
      name: undefined,
      unsent: { post: 0, identity: 0, message: 0 },
      drafts: 0,
      closed: 'suspended',
    },
  ])
})

test('posts, drafts and comments of one person are listed oldest first, each once', async () => {
  const post = await written(aoi.id, '葵の投稿', NOW + 3)
  await submitStored(post, aoi.id, NOW + 3)
  const draft = await written(aoi.id, '葵の下書き', NOW + 2)
  await written(aoi.id, '', NOW)
  await written(ren.id, '蓮の下書き', NOW)
  const comment = newId()
  const about = { params: { post_id: newId() } }
  await queueMutation(
    aoi.id,
    {
      mutation: { name: 'addComment', ...about, body: { id: comment, content: 'きれい' } },
      about: '蓮',
      id: comment,
    },
    NOW + 1,
  )
  await queueMutation(aoi.id, { mutation: { name: 'likePost', ...about }, about: '蓮' }, NOW)
  expect((await listLeftover(aoi.id)).map(({ id, is, content }) => [id, is, content])).toEqual([
    [comment, 'comment', 'きれい'],
    [draft, 'draft', '葵の下書き'],
    [post, 'post', '葵の投稿'],
  ])
})

test('the files of a draft are listed when their bytes are on the device, without its thumbnail', async () => {
  const draft = emptyDraft(aoi.id, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '海' }), NOW)
  const [stored, copying, thumbnail] = [newId(), newId(), newId()]
  await addMedia(draft, pictureRow(draft, { id: stored }), NOW)
  await addMedia(draft, pictureRow(draft, { id: copying }), NOW)
  await addMedia(draft, pictureRow(draft, { id: thumbnail, role: 'thumbnail' }), NOW)
  for (const id of [stored, thumbnail]) await sealMedia(id, 'digest')
  expect((await listLeftover(aoi.id)).map(({ files }) => files.map((it) => it.id))).toEqual([[stored]])
})

test('without a session everyone’s posts and drafts are listed, also those of people without a note', async () => {
  await written(aoi.id, '葵の下書き')
  expect(await listParkedLeftover()).toEqual([
    {
      ownerId: aoi.id,
      name: undefined,
      unsent: { post: 0, identity: 0, message: 0 },
      drafts: 1,
      closed: undefined,
    },
  ])
})

test('a message with files is listed with them, and a text that was sent to a person as a message', async () => {
  const file = pictureRow(
    { id: newId(), ownerId: aoi.id, createdAt: NOW },
    { bytes: { is: 'stored', digest: 'd' } },
  )
  const job = messageJob([file], { id: file.draftId, ownerId: aoi.id, createdAt: NOW })
  await transact(['jobs', 'media'], 'readwrite', async (tx) => {
    await tx.objectStore('jobs').put(job)
    await tx.objectStore('media').put(file)
  })
  const id = newId()
  const mutation = {
    name: 'sendMessage',
    params: { user_id: ren.id },
    body: { id, content: 'また後で' },
  } as const
  await queueMutation(aoi.id, { mutation, about: '蓮', id }, NOW + 1)
  expect((await listLeftover(aoi.id)).map((it) => [it.is, it.content, it.files])).toEqual([
    ['message', 'a', [file]],
    ['message', 'また後で', []],
  ])
})

test('an identity check is not listed for copying', async () => {
  await transact(['jobs'], 'readwrite', (tx) =>
    tx.objectStore('jobs').put(identityJob([], { ownerId: aoi.id })),
  )
  expect(await listLeftover(aoi.id)).toEqual([])
})

test('an unsent comment has no files', async () => {
  const comment = newId()
  const mutation = {
    name: 'addComment',
    params: { post_id: newId() },
    body: { id: comment, content: 'きれい' },
  } as const
  await queueMutation(aoi.id, { mutation, about: '蓮', id: comment }, NOW)
  expect((await listLeftover(aoi.id)).map((it) => it.files)).toEqual([[]])
})

test('an unsent message without a text is not listed for copying', async () => {
  const id = newId()
  const body = { id, content: '', post_id: newId() }
  const mutation = { name: 'sendMessage', params: { user_id: newId() }, body } as const
  await queueMutation(aoi.id, { mutation, about: '蓮', id }, NOW)
  expect(await listLeftover(aoi.id)).toEqual([])
})
