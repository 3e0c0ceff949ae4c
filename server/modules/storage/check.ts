// Compares the files of the data folder with the rows of the database.
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import {
  filesOfMedia,
  FIRST,
  idsWithRow,
  listFinishedUploads,
  listIdentityFiles,
  listReadyExports,
  listReadyMedia,
  type StoredFolder,
} from '#server/store/media/stored-files.ts'
import { keyOfUpload } from '#server/store/media/upload-keys.ts'

/**
 * A difference. `upload_missing`: a finished upload has no file, or one of another length. `media_missing`: a file that was made
 * for a shown media is missing. `document_missing`: an encrypted document has no file; `document_changed`: it cannot be
 * decrypted. `export_missing`: a ready export has no zip. `extra`: a file or folder without a row, unchanged for a day.
 */
export type Finding =
  | { readonly is: 'upload_missing'; readonly id: string; readonly length: number | undefined }
  | {
      readonly is: 'media_missing'
      readonly id: string
      readonly file: string
      /** Whether the upload has its bytes, from which the media can be made again. */
      readonly canBeMade: boolean
    }
  | { readonly is: 'document_missing' | 'document_changed'; readonly id: string }
  | { readonly is: 'export_missing'; readonly id: string }
  | { readonly is: 'extra'; readonly folder: StoredFolder; readonly key: `${StoredFolder}/${string}` }

/** A younger file without a row may belong to a transaction under way. */
const DAY = 24 * 3600_000

const folders = ['uploads', 'identity-uploads', 'media', 'identity', 'exports'] as const

/** @returns the differences, found one after the other; the folder and the rows are not changed */
export async function* checkStorage(deps: Deps): AsyncGenerator<Finding, void> {
  const lost = new Set<string>()
  for await (const it of checkUploads(deps)) {
    lost.add(it.id)
    yield it
  }
  yield* checkMedia(deps, lost)
  yield* checkDocuments(deps)
  yield* checkExports(deps)
  for (const folder of folders) yield* checkExtra(deps, folder)
}

/** Reads all rows, page by page, in the order of their ids. */
async function* rowsOf<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  for (let after = FIRST; ;) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function* checkUploads({ db, storage: { objects } }: Deps) {
  for await (const row of rowsOf((after) => listFinishedUploads(db, after))) {
    const { id, length } = row
    const found = await objects.sizeOf(keyOfUpload(row))
    if (found === undefined || found !== length)
      yield { is: 'upload_missing', id, length: found } as const satisfies Finding
  }
}

async function* checkMedia({ db, storage: { objects } }: Deps, lost: ReadonlySet<string>) {
  for await (const { id, kind, made } of rowsOf((after) => listReadyMedia(db, after))) {
    for (const file of filesOfMedia(kind, made)) {
      if ((await objects.sizeOf(`media/${id}/${file}`)) !== undefined) continue
      yield { is: 'media_missing', id, file, canBeMade: !lost.has(id) } as const satisfies Finding
      break
    }
  }
}

async function* checkDocuments({ db, storage: { objects }, sealed }: Deps) {
  for await (const { id, sealedKey } of rowsOf((after) => listIdentityFiles(db, after))) {
    const key = `identity/${id}` as const
    if ((await objects.sizeOf(key)) === undefined) {
      yield { is: 'document_missing', id } as const satisfies Finding
      continue
    }
    const isWhole = await sealed.check(key, sealedKey, id).then(
      () => true,
      () => false,
    )
    if (!isWhole) yield { is: 'document_changed', id } as const satisfies Finding
  }
}

async function* checkExports({ db, storage: { objects } }: Deps) {
  for await (const { id } of rowsOf((after) => listReadyExports(db, after)))
    if ((await objects.sizeOf(`exports/${id}.zip`)) === undefined)
      yield { is: 'export_missing', id } as const satisfies Finding
}

async function* checkExtra({ db, storage: { objects }, clock }: Deps, folder: StoredFolder) {
  for await (const page of objects.list(folder)) {
    const ids = page.flatMap(({ name }) => idIn(folder, name) ?? [])
    const known = await idsWithRow(db, folder, ids)
    for (const { name, modifiedAt } of page) {
      const id = idIn(folder, name)
      if (id !== undefined && known.has(id)) continue
      const at = await modifiedAt()
      if (at !== undefined && clock() - at > DAY)
        yield { is: 'extra', folder, key: `${folder}/${name}` } as const satisfies Finding
    }
  }
}

/** The id that a name has; undefined for a name that this server never writes. */
function idIn(folder: StoredFolder, name: string): string | undefined {
  const id = folder === 'exports' ? name.replace(/\.zip$/, '') : name
  return v.is(idSchema, id) ? id : undefined
}
