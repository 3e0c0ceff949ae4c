// Kills the browser repeatedly during one upload: measures resuming, and checks the post.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from './rig/browser.ts'
import { openProduct } from './rig/product.ts'
import { sizeSet } from './rounds/overrides.ts'
import { bytesAfter, poll, publishedDigests, submitFile, waitForBytes } from './rig/submitted-upload.ts'

const MB = 1_000_000
/** 500 MiB, more than all browsers together send before the last kill. */
const SIZE = (sizeSet() ?? 500) * 1024 * 1024
const BYTES_PER_SECOND = 20 * MB

/** @param kills number of kills; 100 by default */
export async function benchKills(kills = 100): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const product = await openProduct(data)
  const sent = await submitFile(product, join(folder, 'file'), SIZE, BYTES_PER_SECOND)
  const { proxy, sha256 } = sent
  let { browser } = sent
  const waits: number[] = []
  try {
    for (let n = 0; n < kills; n++) {
      await waitForBytes(proxy, Math.min(4 * MB, SIZE / (2 * kills)))
      const profile = await browser.kill()
      // Drops bytes in the kernel's buffers, which are lost with a phone too.
      proxy.cut()
      browser = await openBrowser(profile)
      const started = Date.now()
      const first = bytesAfter(proxy, started)
      await browser.page.goto(proxy.url, { waitUntil: 'commit' })
      waits.push((await first).at - started)
    }
    await poll(
      () => proxy.requests.find((it) => it.path.startsWith('/api/post/release-uploaded/')),
      'the release',
      300_000,
    )
    await browser.page.waitForTimeout(3000)
    const digests = await publishedDigests(product)
    const right = digests.filter((it) => it === sha256).length
    const sorted = waits.toSorted((a, b) => a - b)
    console.log(`${kills} SIGKILLs of the browser over one upload of ${SIZE / 1024 / 1024} MiB
posts                            ${digests.length}, with the picked bytes ${right}   (goal: exactly 1)
page start to first bytes        median ${sorted[sorted.length >> 1]} ms, worst ${sorted.at(-1)} ms   (goal: 1000 ms)
bytes sent for each byte picked  ${(proxy.bodyBytes / SIZE).toFixed(3)}`)
    if (digests.length !== 1 || right !== 1) process.exitCode = 1
  } finally {
    await browser.close()
    await proxy.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
