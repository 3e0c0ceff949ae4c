// Publishes files of public collections in the editor, and prints what differs from them.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { openBrowser } from '#bench/rig/browser.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { signIn } from '#bench/rig/upload-methods.ts'
import { compareFilm } from './films.ts'
import { comparePicture } from './pictures.ts'
import { type Outcome, publish } from './publish.ts'

/** A file of the list. */
interface Picked {
  readonly file: string
  /** Where `docs/media.md` names what differs, or why it is refused; undefined for a file that is published as it is. */
  readonly named: string | undefined
}

/** How a file was published, and what differs. */
interface Row {
  readonly name: string
  readonly outcome: Outcome['is']
  /** Why it was refused or failed, or what differs from the picked file. */
  readonly says: readonly string[]
  readonly named: string | undefined
}

/** What the row of a file that is published without a difference shows. */
const SAME = 'same'

async function rowOf(page: Page, product: Product, { file, named }: Picked, work: string): Promise<Row> {
  const name = basename(file)
  const outcome = await publish(page, product, file)
  if (outcome.is !== 'published') return { name, outcome: outcome.is, says: [outcome.why], named }
  const copy = join(work, outcome.media.kind === 'video' ? 'copy.mp4' : 'copy.webp')
  writeFileSync(copy, outcome.bytes)
  const kept = process.env['KEEP']
  if (kept) copyFileSync(copy, join(kept, `${name}${extname(copy)}`))
  const says =
    outcome.media.kind === 'video' ? compareFilm(file, copy) : await comparePicture(page, file, copy)
  return { name, outcome: 'published', says, named }
}

/** The files, a line each: GitHub repository, path, and after `#` the name of what differs. */
const list = join(import.meta.dirname, 'files.txt')

/** @param folder clones of the repositories, as `owner/name`; `ONLY` is a part of the paths of the wanted files */
const filesIn = (folder: string): Picked[] =>
  readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .filter((it) => it.includes(process.env['ONLY'] ?? ''))
    .map((line) => {
      const [path = '', named] = line.split(' # ')
      return { file: join(folder, ...path.split(' ')), named }
    })

/** Whether nothing names why a file was refused, has failed or differs. */
const isUnnamed = ({ says, named }: Row) => says.length > 0 && named === undefined

/**
 * Publishes each file of `files.txt` as a post of its own, through the editor in Chromium, and compares what its author
 * then receives with the file. `COLLECTION` is the folder of the cloned repositories. Prints a line for each file, and
 * writes each copy to the folder `KEEP`, if there is one.
 */
export async function benchCollection(): Promise<void> {
  const folder = process.env['COLLECTION']
  if (!folder) throw new Error('COLLECTION=<folder of cloned repositories> is missing')
  const files = filesIn(folder)
  const work = mkdtempSync(join(tmpdir(), 'todoke-collection-'))
  const data = join(work, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const browser = await openBrowser()
  const rows: Row[] = []
  try {
    await signIn(browser.page, product)
    for (const it of files) {
      const row = await rowOf(browser.page, product, it, work).catch((error: unknown): Row => ({
        name: basename(it.file),
        outcome: 'failed',
        says: [String(error)],
        named: undefined,
      }))
      rows.push(row)
      const why = isUnnamed(row) ? 'NOT NAMED' : `named: ${row.named}`
      console.log(
        `${row.name}: ${row.outcome}, ${row.says.length === 0 ? SAME : `${row.says.join('; ')} (${why})`}`,
      )
    }
  } finally {
    await browser.close()
    await product.close()
    rmSync(work, { recursive: true, force: true })
  }
  const count = (is: Row['outcome']) => rows.filter((it) => it.outcome === is).length
  const differing = rows.filter((it) => it.outcome === 'published' && it.says.length > 0).length
  console.log(
    `${rows.length} files: ${count('published')} published, ${differing} of them differ, ${count('refused')} refused before they are sent, ${count('failed')} failed after it; ${rows.filter(isUnnamed).length} that docs/media.md does not name`,
  )
}
