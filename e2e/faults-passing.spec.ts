// Faults that pass: whatever happens to one request, the post goes on by itself and is posted once with its bytes.
import type { Fault } from './rig/faults.ts'
import { bothRoutes, expect, type Ground, postedOnce, publish, resumable, test } from './rig/rows.ts'

interface Row {
  readonly at: string
  readonly line: string
  readonly fault: Fault
  readonly pass?: number
  /** The fault lies in the middle of the bytes: the video has several chunks. */
  readonly long?: true
}

async function goesOn(ground: Ground, row: Row, content: string): Promise<void> {
  const { network } = ground
  const before = network.happened
  const video = row.long ? ground.video : ground.film
  network.once(row.line, row.fault, row.pass)
  await publish(ground, row.at, content, video)
  await postedOnce(ground, content, video)
  expect(network.happened - before).toBe(1)
}

/** Where bytes travel, one status of each meaning; each other status is a line of sw/upload/outcome.test.ts. */
const passing = (step: string): number[] => (step === 'send' || step === 'add' ? [409, 429, 503] : [500])
const answered = (status: number): Fault => ({
  is: 'answered',
  status,
  ...(status === 429 || status === 503 ? { retryAfter: 1 } : {}),
})

for (const { at, ...requests } of bothRoutes)
  for (const [step, line] of Object.entries(requests)) {
    for (const status of passing(step))
      test(`${at}: ${step} is answered ${status} once: posted once`, async ({ ground }) => {
        const middle = step === 'send' ? ({ pass: 1, long: true } as const) : {}
        await goesOn(ground, { at, line, fault: answered(status), ...middle }, `${at} ${step} ${status}`)
      })

    test(`${at}: the answer to ${step} is lost: posted once`, async ({ ground }) => {
      await goesOn(ground, { at, line, fault: { is: 'unheard' } }, `${at} ${step} unheard`)
    })

    if (line.startsWith('HEAD ')) continue
    test(`${at}: ${step} reaches the server twice: posted once`, async ({ ground }) => {
      await goesOn(ground, { at, line, fault: { is: 'doubled' } }, `${at} ${step} doubled`)
    })
  }

for (const { at, send, add } of bothRoutes) {
  test(`${at}: the connection is cut in the middle of a chunk: posted once`, async ({ ground }) => {
    const fault: Fault = { is: 'cut', after: 2_000_000 }
    await goesOn(ground, { at, line: send, fault, pass: 1, long: true }, `${at} send cut`)
  })

  test(`${at}: the connection is cut in the middle of the post's form: posted once`, async ({ ground }) => {
    await goesOn(ground, { at, line: add, fault: { is: 'cut', after: 100 } }, `${at} add cut`)
  })
}

for (const status of [404, 410])
  test(`the server says ${status} of an upload it had: the video is sent again and posted once`, async ({
    ground,
  }) => {
    const row = {
      at: resumable.at,
      line: resumable.send,
      fault: answered(status),
      pass: 1,
      long: true,
    } as const
    await goesOn(ground, row, `upload ${status}`)
  })
