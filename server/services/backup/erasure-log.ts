// The log of erasures: an object for each, which a restored backup repeats.
import { writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'

/** An account, by the id of the person, or an encrypted document of an identity check, by the id of its file. */
export interface Erasure {
  readonly is: 'account' | 'document'
  readonly id: string
}

interface LogPorts {
  readonly objects: Pick<ObjectStore, 'put' | 'list'>
  readonly scratch: Pick<Scratch, 'newPath'>
}

const erasure = v.object({ is: v.picklist(['account', 'document']), id: idSchema })

const nameOf = ({ is, id }: Erasure) => `${is}.${id}`

/** @returns undefined for a name that is not one of the log */
export function erasureOf(name: string): Erasure | undefined {
  const [is, id, ...more] = name.split('.')
  const parsed = v.safeParse(erasure, { is, id })
  return parsed.success && more.length === 0 ? parsed.output : undefined
}

/**
 * Writes an erasure to the log before anything is removed, so that the log has each of them. It is outside of the database, which
 * a restored backup replaces. A repeat changes nothing.
 */
export async function logErasure({ objects, scratch }: LogPorts, it: Erasure): Promise<void> {
  const file = scratch.newPath()
  // The name says everything; some stores have no empty objects.
  await writeFile(file, `${nameOf(it)}\n`, { mode: 0o600 })
  await objects.put(`erasures/${nameOf(it)}`, file)
}

/** All erasures, in no order. */
export async function* readErasures({ objects }: Pick<LogPorts, 'objects'>): AsyncGenerator<Erasure, void> {
  for await (const page of objects.list('erasures'))
    for (const { name } of page) {
      const it = erasureOf(name)
      if (it) yield it
    }
}

/** Whether an object of a backup was erased since: its owner's account, or the document itself. */
export async function isErased(
  factsOf: ObjectStore['factsOf'],
  { key, owner }: { readonly key: ObjectKey; readonly owner: string },
): Promise<boolean> {
  const [prefix, id = ''] = key.split('/')
  if (await factsOf(`erasures/${nameOf({ is: 'account', id: owner })}`)) return true
  return prefix === 'identity' && (await factsOf(`erasures/${nameOf({ is: 'document', id })}`)) !== undefined
}
