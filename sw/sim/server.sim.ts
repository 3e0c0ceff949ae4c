// The upload queue and the real server modules in seeded stories over one network.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { World as Server } from '#server/testing/world.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { openServer, RealServer } from './servers/real-server.ts'
import { START } from './actions.ts'
import { runStory } from './story.ts'

const SEEDS = Number(process.env['SERVER_SEEDS'] ?? process.env['SEEDS'] ?? 200)
const FIRST = Number(process.env['SEED'] ?? 1)

let server: Server
beforeAll(async () => {
  server = await openServer(START)
})
afterAll(() => server.close())

test(`in ${SEEDS} stories with the real server every job publishes exactly once or ends with a reason`, async () => {
  const filePrefixes = { image: await jpeg(), video: fixture('h264.mp4') }
  const failures: string[] = []
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const violations = await runStory(seed, {}, { open: (now) => RealServer.open(server, now), filePrefixes })
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
    if (failures.length >= 5) break
  }
  expect(failures).toEqual([])
})
