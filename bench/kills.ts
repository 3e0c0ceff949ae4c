// Kills the browser repeatedly during one upload: measures resuming, and checks the post.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from './rig/browser.ts'
import { openProduct } from './rig/product.ts'
import { arrived, more, patchAfter, submitFile, until } from './rig/sent.ts'

const MB = 1_000_000
/** 500 MiB, more than all browsers together send before the last kill. */
const SIZE = 500 * 1024 * 1024
const BYTES_PER_SECOND = 20 * MB

/**
 * @param kills how many times; 100 by default
 */
export async function benchKills(kills = 100): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const sent = await submitFile(product, join(folder, 'file'), SIZE, BYTES_PER_SECOND)
  const { line, sha256 } = sent
  let { browser } = sent
  const waits: number[] = []
  try {
    for (let n = 0; n < kills; n++) {
      await more(line, Math.min(4 * MB, SIZE / (2 * kills)))
      const profile = await browser.kill()
      // Bytes in the kernel's buffers are lost with a phone too.
      line.cut()
      browser = await openBrowser(profile)
      const started = Date.now()
      const first = patchAfter(line, started)
      await browser.page.goto(line.url, { waitUntil: 'commit' })
      waits.push((await first).at - started)
    }
    await until(
      () => line.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/')),
      'the release',
      300_000,
    )
    await browser.page.waitForTimeout(3000)
    const sums = await arrived(product)
    const right = sums.filter((it) => it === sha256).length
    const sorted = waits.toSorted((a, b) => a - b)
    console.log(`${kills} SIGKILLs of the browser over one upload of ${SIZE / 1024 / 1024} MiB
posts                            ${sums.length}, with the picked bytes ${right}   (goal: exactly 1)
page start to first PATCH        median ${sorted[sorted.length >> 1]} ms, worst ${sorted.at(-1)} ms   (goal: 1000 ms)
bytes sent for each byte picked  ${(line.bodyBytes / SIZE).toFixed(3)}`)
    if (sums.length !== 1 || right !== 1) process.exitCode = 1
  } finally {
    await browser.close()
    await line.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
