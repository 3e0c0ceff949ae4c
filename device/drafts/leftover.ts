// Lists unsent content of people who are not signed in, for copying it out.
import * as v from 'valibot'
import { transact } from '#device/database/database.ts'
import { writtenText } from './draft-merge.ts'
import { isBlank } from './drafts.ts'
import { readSignedOutIn } from '#device/session/signed-out.ts'
import { unsentOf, type Parked } from '#device/session/purge.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Media } from '#device/database/schema.ts'

/** One post, draft, message or comment that is not sent. */
export interface Leftover {
  id: string
  is: 'post' | 'draft' | 'message' | 'comment'
  content: string
  files: Media[]
}

/** The unsent content of one person who is not signed in. */
export interface ParkedLeftover extends Parked {
  /** Drafts with content. */
  drafts: number
  /** The server has closed the account. */
  closed: 'suspended' | undefined
}

/** Lists the people who are not signed in and have unsent posts, checks or drafts here, and those whose account was closed. */
export function listParkedLeftover(): Promise<ParkedLeftover[]> {
  return transact(['session', 'settings', 'jobs', 'drafts'], 'readonly', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get('current'))
    const note = await readSignedOutIn(tx)
    const jobs = parseRows('jobs', await tx.objectStore('jobs').getAll())
    const submitted = new Set(jobs.map((job) => job.id))
    const filled = parseRows('drafts', await tx.objectStore('drafts').getAll()).filter(
      (draft) => !submitted.has(draft.id) && !isBlank(draft),
    )
    const closed = Object.keys(note).filter((it) => note[it]?.closed)
    const owners = new Set([...[...jobs, ...filled].map((row) => row.ownerId), ...closed])
    if (session) owners.delete(session.user.id)
    return [...owners].map((ownerId) => ({
      ownerId,
      name: note[ownerId]?.name || undefined,
      unsent: unsentOf(jobs.filter((job) => job.ownerId === ownerId)),
      drafts: filled.filter((draft) => draft.ownerId === ownerId).length,
      closed: note[ownerId]?.closed,
    }))
  })
}

/** A message of a post alone has no text. */
const withText = v.object({ content: v.pipe(v.string(), v.nonEmpty()) })

/** Lists the unpublished posts, drafts, messages and comments of a person, oldest first. */
export function listLeftover(ownerId: string): Promise<Leftover[]> {
  return transact(['session', 'jobs', 'drafts', 'media', 'acts'], 'readonly', async (tx) => {
    const jobs = parseRows('jobs', await tx.objectStore('jobs').index('owner').getAll(ownerId))
    const written = jobs.flatMap((job) => (job.kind === 'identity' ? [] : [job]))
    const drafts = parseRows('drafts', await tx.objectStore('drafts').index('owner').getAll(ownerId))
    const unsent = drafts.filter((draft) => !isBlank(draft) && !jobs.some((job) => job.id === draft.id))
    const acts = parseRows('acts', await tx.objectStore('acts').index('owner').getAll(ownerId))
    const filesOf = async (draftId: string) => {
      const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId))
      return rows.filter((row) => row.role === 'media' && row.bytes.is === 'stored')
    }
    const all: (Leftover & { at: number })[] = []
    for (const { id, kind, form, createdAt: at } of written)
      all.push({
        id,
        is: kind,
        content: 'title' in form ? writtenText(form) : form.content,
        files: await filesOf(id),
        at,
      })
    for (const draft of unsent) {
      const { id, createdAt: at } = draft
      all.push({ id, is: 'draft', content: writtenText(draft), files: await filesOf(id), at })
    }
    for (const { id, form, createdAt: at } of acts) {
      const { name, body } = form.mutation
      const text = v.safeParse(withText, body)
      const is = name === 'sendMessage' ? 'message' : 'comment'
      if (text.success) all.push({ id, is, content: text.output.content, files: [], at })
    }
    return all.toSorted((a, b) => a.at - b.at)
  })
}
