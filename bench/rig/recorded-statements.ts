// Records the statements that the product sends for some requests.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadOptions } from './load.ts'
import { openProduct } from './product.ts'
import type { Statement } from './statement-recorder.ts'

/** Requests of each kind whose statements the bare route repeats. */
const RECORDED = 8

/** @param requests the nth request of each kind @returns the statements of some requests of each kind */
export async function recordStatements(
  dataDir: string,
  url: string,
  requests: Readonly<Record<string, (n: number) => LoadOptions>>,
): Promise<Record<string, Statement[][]>> {
  const file = join(dataDir, 'recorded')
  writeFileSync(file, '')
  const preload = `--import=${join(import.meta.dirname, 'statement-recorder.ts')}`
  const product = await openProduct(dataDir, { DATABASE_URL: url, NODE_OPTIONS: preload, TAP_FILE: file })
  // Waits until the product's own start needs no processor time.
  await product.quiet()
  const recorded: Record<string, Statement[][]> = {}
  for (const [name, request] of Object.entries(requests)) {
    recorded[name] = []
    for (let n = 0; n < RECORDED; n++) {
      writeFileSync(file, '')
      const { path, token = '' } = request(n)
      await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } })
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
      const statements = lines.map((it) => JSON.parse(it) as Statement)
      // Other statements are those of the job queue, which fetches jobs in parallel.
      recorded[name].push(
        statements.filter((it) => /^\s*(select|with)/i.test(it.text) && !it.text.includes('pgboss')),
      )
    }
  }
  await product.close()
  return recorded
}
