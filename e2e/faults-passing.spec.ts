// Temporary faults of one request: the post continues and is published once.
import type { Fault } from './rig/network/faults.ts'
import {
  bothProtocols,
  expect,
  type MatrixSetup,
  expectPublishedOnce,
  publish,
  resumable,
  test,
} from './rig/posting/fault-matrix.ts'
import { deepUnless } from './rig/sample.ts'

interface Row {
  readonly at: string
  readonly request: string
  readonly fault: Fault
  readonly pass?: number
  /** The fault lies in the middle of the bytes: the video has several chunks. */
  readonly long?: true
}

async function expectRecovery(matrix: MatrixSetup, row: Row, content: string): Promise<void> {
  const { network } = matrix
  const before = network.faultCount
  const video = row.long ? matrix.video : matrix.film
  network.once(row.request, row.fault, row.pass)
  await publish(matrix, row.at, content, video)
  await expectPublishedOnce(matrix, content, video)
  expect(network.faultCount - before).toBe(1)
}

/** Requests with bytes: one status of each meaning. sw/queue/requests/outcome.test.ts tests all statuses. */
const passing = (step: string): number[] => (step === 'send' || step === 'add' ? [409, 429, 503] : [500])
const answered = (status: number): Fault => ({
  is: 'answered',
  status,
  ...(status === 429 || status === 503 ? { retryAfter: 1 } : {}),
})

/** Rows of `npm test`: protocol, request, fault. */
const sample = new Set([
  '/post/upload2 send 503',
  '/post/upload2 add lost',
  '/post/upload2 release doubled',
  '/post/upload send lost',
  '/post/upload add nameless',
])
const row = (at: string, step: string, what: string) => deepUnless(sample.has(`${at} ${step} ${what}`))

for (const { at, ...requests } of bothProtocols)
  for (const [step, request] of Object.entries(requests)) {
    for (const status of passing(step))
      test(
        `${at}: ${step} is answered ${status} once: posted once`,
        row(at, step, String(status)),
        async ({ matrix }) => {
          const middle = step === 'send' ? ({ pass: 1, long: true } as const) : {}
          await expectRecovery(
            matrix,
            { at, request, fault: answered(status), ...middle },
            `${at} ${step} ${status}`,
          )
        },
      )

    test(`${at}: the answer to ${step} is lost: posted once`, row(at, step, 'lost'), async ({ matrix }) => {
      await expectRecovery(matrix, { at, request, fault: { is: 'reply-dropped' } }, `${at} ${step} unheard`)
    })

    if (request.startsWith('HEAD ')) continue
    test(
      `${at}: ${step} reaches the server twice: posted once`,
      row(at, step, 'doubled'),
      async ({ matrix }) => {
        await expectRecovery(matrix, { at, request, fault: { is: 'doubled' } }, `${at} ${step} doubled`)
      },
    )
  }

for (const { at, add } of bothProtocols)
  test(
    `${at}: add is answered with a success without a post id: repeated, posted once`,
    row(at, 'add', 'nameless'),
    async ({ matrix }) => {
      const body = JSON.stringify({ data: [{ item: {} }] })
      await expectRecovery(
        matrix,
        { at, request: add, fault: { is: 'answered', status: 200, body } },
        `${at} add nameless`,
      )
    },
  )

for (const { at, send, add } of bothProtocols) {
  test(
    `${at}: the connection is cut in the middle of a chunk: posted once`,
    deepUnless(at === resumable.at),
    async ({ matrix }) => {
      const fault: Fault = { is: 'cut', after: 2_000_000 }
      await expectRecovery(matrix, { at, request: send, fault, pass: 1, long: true }, `${at} send cut`)
    },
  )

  const form = "the connection is cut in the middle of the post's form: posted once"
  test(`${at}: ${form}`, { tag: '@deep' }, async ({ matrix }) => {
    await expectRecovery(matrix, { at, request: add, fault: { is: 'cut', after: 100 } }, `${at} add cut`)
  })
}

for (const status of [404, 410])
  test(
    `the server answers ${status} for an existing upload: the video is sent again and posted once`,
    deepUnless(status === 404),
    async ({ matrix }) => {
      const fault = {
        at: resumable.at,
        request: resumable.send,
        fault: answered(status),
        pass: 1,
        long: true,
      } as const
      await expectRecovery(matrix, fault, `upload ${status}`)
    },
  )
