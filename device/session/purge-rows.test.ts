// What a sign-out and the discarding of parked jobs delete, row by row.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft, listDrafts } from '#device/drafts/drafts.ts'
import { readNote, writeNote } from '#device/drafts/notes.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import {
  addMessageFile,
  openMessageDraft,
  readMessageDraft,
  submitMessageDraft,
} from '#device/jobs/message.ts'
import { queueMutation, listMutations } from '#device/mutations/mutations.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { newUser, submitStored } from '#device/testing/user.ts'
import * as v from 'valibot'
import { countBelongings, discardParked, purgePerson, sweepSignedOut } from './purge.ts'
import { clearSession, saveSession } from './session.ts'
import { readSignedOutIn } from './signed-out.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const [aoi, ren] = [newUser('葵'), newUser('蓮')]

let changes: Change[] = []
let stop = () => {}
beforeEach(async () => {
  await transact(['drafts'], 'readonly', async () => undefined)
  changes = []
  stop = onChange((change) => changes.push(change))
})
afterEach(async () => {
  stop()
  await closeDatabase()
  await deleteDB('todoke')
})

async function put(store: string, row: unknown): Promise<void> {
  const raw = await openDB('todoke')
  await raw.put(store, row)
  raw.close()
}
async function all(store: string): Promise<unknown[]> {
  const raw = await openDB('todoke')
  const rows: unknown[] = await raw.getAll(store)
  raw.close()
  return rows
}
const left = () => transact(['settings'], 'readonly', (tx) => readSignedOutIn(tx))

async function written(content: string, ownerId = aoi.id): Promise<string> {
  const draft = await changeDraft(emptyDraft(ownerId, NOW), (it) => ({ ...it, content }), NOW)
  if (!draft) throw new Error('the draft was not stored')
  return draft.id
}
async function sent(content: string, ownerId = aoi.id): Promise<string> {
  const id = await written(content, ownerId)
  await submitStored(id, ownerId, NOW)
  return id
}

describe('a sign-out', () => {
  test('deletes shares of the person and without an owner, and no share of another person', async () => {
    const share = (ownerId: string | null) => ({ id: newId(), ownerId, text: '共有', files: [], at: NOW })
    const [own, unowned, other] = [share(aoi.id), share(null), share(ren.id)]
    for (const it of [own, unowned, other]) await put('shared', it)
    await purgePerson(aoi)
    expect(await all('shared')).toEqual([other])
  })

  test('deletes files picked for an unsent message; a submitted one stays with its files', async () => {
    const yu = newId()
    const pick = async (recipientId: string, ownerId = aoi.id) => {
      const { id } = await openMessageDraft({ ownerId, recipientId }, NOW)
      const bytes = { is: 'stored', digest: 'd' } as const
      await addMessageFile({ ...pictureRow({ id, ownerId, createdAt: NOW }), bytes })
      return id
    }
    const [picked, submitted, other] = [await pick(yu), await pick(ren.id), await pick(aoi.id, ren.id)]
    await pick(yu)
    const between = { ownerId: aoi.id, recipientId: ren.id }
    const shown = (await readMessageDraft(between))?.media ?? []
    await submitMessageDraft(between, { content: '', replyTo: null, about: '蓮' }, shown, NOW)
    expect(await countBelongings(aoi.id)).toEqual({
      drafts: 0,
      files: 2,
      unsent: { post: 0, identity: 0, message: 1 },
      acts: 0,
    })
    await purgePerson(aoi)
    const draftsOf = async (store: string, field: string) =>
      (await all(store)).map((row) => (row as Record<string, unknown>)[field])
    expect(new Set(await draftsOf('media', 'draftId'))).toEqual(new Set([submitted, other]))
    expect(await draftsOf('messageDrafts', 'id')).toEqual([other])
    expect(picked).not.toBe(submitted)
    await discardParked(aoi.id)
    expect(await draftsOf('media', 'draftId')).toEqual([other])
  })

  test('deletes the person’s quarantined rows, and no others', async () => {
    const rows = [
      { store: 'drafts', key: 'a', row: { ownerId: aoi.id } },
      { store: 'drafts', key: 'b', row: { ownerId: ren.id } },
      { store: 'drafts', key: 'c', row: { content: 'without an owner' } },
      { store: 'drafts', key: 'd', row: null },
      { store: 'drafts', key: 'e', row: 'text' },
      { store: 'drafts', key: 'f', row: { ownerId: aoi.id } },
    ]
    for (const it of rows) await put('broken', it)
    await purgePerson(aoi)
    expect((await all('broken')).map((it) => (it as { key: string }).key)).toEqual(['b', 'c', 'd', 'e'])
  })

  test('is announced, and stores the name only where a job waits for the person', async () => {
    await purgePerson(aoi)
    expect(changes).toEqual([{ store: 'session' }])
    expect(await left()).toEqual({ [aoi.id]: { name: '', chose: true } })
    await sent('送信待ち', ren.id)
    await purgePerson(ren)
    expect((await left())[ren.id]).toEqual({ name: '蓮', chose: true })
  })

  test('counts a draft of another version as deleted, and a submitted draft not at all', async () => {
    await put('drafts', { id: newId(), ownerId: aoi.id, content: { blocks: [] } })
    await put('jobs', { id: newId(), ownerId: aoi.id, form: null })
    await sent('送信待ち')
    expect(await countBelongings(aoi.id)).toEqual({
      drafts: 1,
      files: 0,
      unsent: { post: 2, identity: 0, message: 0 },
      acts: 0,
    })
  })
})

describe('a sweep', () => {
  test('removes the note of a person without drafts and jobs, and no other', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await written('下書き')
    await clearSession('aoi')
    await purgePerson(ren)
    await sweepSignedOut()
    expect(Object.keys(await left())).toEqual([aoi.id])
    expect((await listDrafts(aoi.id)).map((it) => it.content)).toEqual(['下書き'])
  })

  test('retains the note of a person who signed out with a waiting post', async () => {
    await sent('送信待ち')
    await purgePerson(aoi)
    await sweepSignedOut()
    expect(await left()).toEqual({ [aoi.id]: { name: '葵', chose: true } })
  })

  test('retains without a name that an account was closed, until it was read', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await clearSession('aoi', 'suspended')
    await sweepSignedOut()
    expect(await left()).toEqual({ [aoi.id]: { name: '', chose: false, closed: 'suspended' } })
    changes = []
    await discardParked(aoi.id, 'all')
    expect([await left(), changes]).toEqual([{}, [{ store: 'session' }]])
  })
})

describe('discarding parked jobs', () => {
  test('deletes posts and mutations, retains drafts and notes, and announces each post', async () => {
    const [draft, one, two] = [await written('下書き'), await sent('一'), await sent('二')]
    await writeNote(aoi.id, 'comments.1', '書きかけ')
    await queueMutation(
      aoi.id,
      { mutation: { name: 'follow', params: { user_id: ren.id } }, about: '蓮' },
      NOW,
    )
    changes = []
    await discardParked(aoi.id)
    expect([await listJobs(aoi.id), await listMutations(aoi.id)]).toEqual([[], []])
    expect((await listDrafts(aoi.id)).map((it) => it.id)).toEqual([draft])
    expect(await readNote(aoi.id, 'comments.1', v.string())).toBe('書きかけ')
    expect(changes.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
      [one, two].toSorted().map((id) => ({ store: 'jobs', id })),
    )
  })

  test('of a closed account also deletes its drafts, notes and sign-out note, and none of another person', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sent('一')
    await written('下書き')
    await writeNote(aoi.id, 'comments.1', '書きかけ')
    await clearSession('aoi', 'suspended')
    await saveSession({ token: 'ren', user: ren })
    await written('蓮の下書き', ren.id)
    await discardParked(aoi.id, 'all')
    expect([await listJobs(aoi.id), await listDrafts(aoi.id), await left()]).toEqual([[], [], {}])
    expect(await readNote(aoi.id, 'comments.1', v.string())).toBeUndefined()
    expect(await listDrafts(ren.id)).toHaveLength(1)
  })

  test('of the signed-in person changes and announces nothing', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sent('一')
    changes = []
    await discardParked(aoi.id, 'all')
    expect([(await listJobs(aoi.id)).length, changes]).toEqual([1, []])
  })
})
