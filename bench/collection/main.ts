// Publishes files of public collections in the editor, and prints what differs from them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { openBrowser } from '#bench/rig/browser.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { signIn } from '#bench/rig/upload-methods.ts'
import { compareFilm } from './films.ts'
import { comparePicture } from './pictures.ts'
import { type Outcome, publish } from './publish.ts'

/** How a file was published, and what differs. */
interface Row {
  readonly name: string
  readonly outcome: Outcome['is']
  /** Why it was refused or failed, or what differs from the picked file. */
  readonly says: readonly string[]
}

/** What the row of a file that is published without a difference shows. */
const SAME = 'same'

async function rowOf(page: Page, product: Product, file: string, work: string): Promise<Row> {
  const name = basename(file)
  const outcome = await publish(page, product, file)
  if (outcome.is !== 'published') return { name, outcome: outcome.is, says: [outcome.why] }
  const copy = join(work, outcome.media.kind === 'video' ? 'copy.mp4' : 'copy.webp')
  writeFileSync(copy, outcome.bytes)
  const says =
    outcome.media.kind === 'video' ? compareFilm(file, copy) : await comparePicture(page, file, copy)
  return { name, outcome: 'published', says }
}

/** The files, a line each: GitHub repository and path. */
const list = join(import.meta.dirname, 'files.txt')

/** @param folder clones of the repositories, as `owner/name` */
const filesIn = (folder: string): string[] =>
  readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .map((it) => join(folder, ...it.split(' ')))

/**
 * Publishes each file of `files.txt` as a post of its own, through the editor in Chromium, and compares what its author
 * then receives with the file. `COLLECTION` is the folder of the cloned repositories. Prints a line for each file.
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
        name: basename(it),
        outcome: 'failed',
        says: [String(error)],
      }))
      rows.push(row)
      console.log(`${row.name}: ${row.outcome}, ${row.says.join('; ') || SAME}`)
    }
  } finally {
    await browser.close()
    await product.close()
    rmSync(work, { recursive: true, force: true })
  }
  const count = (is: Row['outcome']) => rows.filter((it) => it.outcome === is).length
  const differing = rows.filter((it) => it.outcome === 'published' && it.says.length > 0).length
  console.log(
    `${rows.length} files: ${count('published')} published, ${differing} of them differ, ${count('refused')} refused before they are sent, ${count('failed')} failed after it`,
  )
}
