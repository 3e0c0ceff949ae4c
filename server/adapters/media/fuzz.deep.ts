// Converts ten thousand fuzzed files of every recognised kind in sandboxed processes.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fuzz, fuzzPath } from '#server/testing/media/fuzz.ts'
import { fuzzSeeds } from '#server/testing/media/fuzz-seeds.ts'

/** For a part of a run: `KIND=video/mp4`, `FROM=5001`, `SEEDS=5000`. */
const { KIND, FROM = '1', SEEDS = '10000', DEEP_RESULTS } = process.env
const seeds = await fuzzSeeds()
const kinds = [...seeds.keys()].filter((it) => KIND === undefined || it === KIND)

/** The version of ffmpeg. */
function ffmpegVersion(): string {
  const output = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8', env: { PATH: fuzzPath() } })
  return /^ffmpeg version (\S+)/.exec(output)?.[1] ?? 'unknown'
}

describe('fuzzed files', () => {
  test.each(kinds)('of %s crash no server, and show no byte of another file', async (mime) => {
    const [from, count] = [Number(FROM), Number(SEEDS)]
    const began = performance.now()
    const seen = await fuzz({ mime, seed: seeds.get(mime) ?? Buffer.alloc(0), from, count })
    const seconds = Math.round((performance.now() - began) / 1000)
    const ffmpeg = mime.startsWith('video/') ? ffmpegVersion() : ''
    if (DEEP_RESULTS !== undefined)
      appendFileSync(DEEP_RESULTS, `${JSON.stringify({ mime, from, seconds, ffmpeg, ...seen })}\n`)
    expect([seen.files, seen.leaks]).toEqual([count, 0])
  })
})
