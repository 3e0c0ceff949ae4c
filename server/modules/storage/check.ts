// Compares the files of the data folder with the rows of the database.
import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import type { MadeVariants } from '#server/store/tables/media.ts'
import {
  FIRST,
  idsWithRow,
  listFinishedUploads,
  listIdentityFiles,
  listReadyExports,
  listReadyMedia,
  type StoredFolder,
} from '#server/store/media/stored-files.ts'

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
  | { readonly is: 'extra'; readonly folder: StoredFolder; readonly path: string }

/** A younger file without a row may belong to a transaction under way. */
const DAY = 24 * 3600_000

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
  for (const folder of ['uploads', 'media', 'identity', 'exports'] as const) yield* checkExtra(deps, folder)
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

async function* checkUploads({ db, files }: Deps) {
  for await (const { id, length } of rowsOf((after) => listFinishedUploads(db, after))) {
    const found = await files.sizeOf(files.uploadPath(id))
    if (found === undefined || found !== length)
      yield { is: 'upload_missing', id, length: found } as const satisfies Finding
  }
}

/** Files that a media of a kind has, in its folder. */
export function filesOfMedia(kind: 'image' | 'video', made: MadeVariants): string[] {
  return [
    ...made.widths.map((it) => `w${it}.webp`),
    ...(made.poster ? ['poster.webp'] : []),
    ...(made.blurred ? ['blurred.webp'] : []),
    ...(kind === 'video' ? ['play.mp4'] : []),
    ...(made.hls === true ? ['hls/main.m3u8'] : []),
  ]
}

async function* checkMedia({ db, files }: Deps, lost: ReadonlySet<string>) {
  for await (const { id, kind, made } of rowsOf((after) => listReadyMedia(db, after))) {
    for (const file of filesOfMedia(kind, made)) {
      if ((await files.sizeOf(path.join(files.mediaFolder(id), file))) !== undefined) continue
      yield { is: 'media_missing', id, file, canBeMade: !lost.has(id) } as const satisfies Finding
      break
    }
  }
}

async function* checkDocuments({ db, files, sealed }: Deps) {
  for await (const { id, sealedKey } of rowsOf((after) => listIdentityFiles(db, after))) {
    const file = files.sealedPath(id)
    if ((await files.sizeOf(file)) === undefined) {
      yield { is: 'document_missing', id } as const satisfies Finding
      continue
    }
    const isWhole = await sealed.check(file, sealedKey, id).then(
      () => true,
      () => false,
    )
    if (!isWhole) yield { is: 'document_changed', id } as const satisfies Finding
  }
}

async function* checkExports({ db, files }: Deps) {
  for await (const { id } of rowsOf((after) => listReadyExports(db, after)))
    if ((await files.sizeOf(files.exportPath(id))) === undefined)
      yield { is: 'export_missing', id } as const satisfies Finding
}

async function* checkExtra({ db, files, clock }: Deps, folder: StoredFolder) {
  const root = files[folder]
  for await (const names of namesIn(root)) {
    const ids = names.flatMap((name) => idIn(folder, name) ?? [])
    const known = await idsWithRow(db, folder, ids)
    for (const name of names) {
      const id = idIn(folder, name)
      if (id !== undefined && known.has(id)) continue
      const file = path.join(root, name)
      const about = await stat(file).catch(() => undefined)
      if (about && clock() - about.mtimeMs > DAY)
        yield { is: 'extra', folder, path: file } as const satisfies Finding
    }
  }
}

/** The id that a name has; undefined for a name that this server never writes. */
function idIn(folder: StoredFolder, name: string): string | undefined {
  const id = folder === 'exports' ? name.replace(/\.zip$/, '') : name
  return v.is(idSchema, id) ? id : undefined
}

/** Names in a folder of any size, some hundred at once. */
async function* namesIn(folder: string): AsyncGenerator<string[], void> {
  let names: string[] = []
  for await (const { name } of await opendir(folder)) {
    names.push(name)
    if (names.length < 500) continue
    yield names
    names = []
  }
  yield names
}
