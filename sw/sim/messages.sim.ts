// Messages in thousands of seeded stories, and planted faults that the stories must detect.
import { expect, test } from 'vitest'
import { runMessageStory } from './message-story.ts'
import type { Faults } from './world.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 60)
const FIRST = Number(process.env['SEED'] ?? 1)

test(`in ${SEEDS} stories every message arrives once with its files, texts in order, or remains with a reason`, async () => {
  const failures: string[] = []
  for (let seed = FIRST; seed < FIRST + SEEDS && failures.length < 5; seed++) {
    const violations = await runMessageStory(seed)
    if (violations.length > 0) failures.push(`SEED=${seed} SEEDS=1: ${violations.join(' | ')}`)
  }
  expect(failures).toEqual([])
})

/** A fault that replaces one text of the product. */
const changing = (file: string, find: string, by: string): Faults => ({ changes: [{ file, find, by }] })
const machine = 'sw/queue/machines/request-with-files.ts'
const request = 'sw/queue/requests/message.ts'
const device = 'device/jobs/message.ts'

const planted: Record<string, { faults: Faults; caught: RegExp }> = {
  'the server stores a message at each request': {
    faults: { rules: { messageOnce: false } },
    caught: /^1: a (text|message with files) is stored/,
  },
  'the server takes uploads that are not whole': {
    faults: {
      rules: { checkMedia: false, checkDigest: false },
      ...changing(
        'sw/queue/machines/files.ts',
        "state.is === 'sent')\n\n/** Changes one file",
        "state.is !== 'failed')\n\n/** Changes one file",
      ),
    },
    caught: /^2: a message has a file that is not whole/,
  },
  'the server does not compare digests': {
    faults: { rules: { checkDigest: false } },
    caught: /^2: a message has other bytes/,
  },
  'each try has a new id': { faults: { freshKeys: true }, caught: /^1: the server has a message/ },
  'a message is deleted before it is acknowledged': {
    faults: changing(machine, "{ do: 'submit' } :", "{ do: 'finish', id: 'none', at: now } :"),
    caught: /^6: a job that is (open|requested) was dropped/,
  },
  'a refused message counts as delivered': {
    faults: changing(
      machine,
      "return { ...job, stage: { is: 'failed', code, ...(fields && { fields }) } }",
      "return { ...job, stage: { is: 'delivered', id: 'none', at: Number(!code && fields) } }",
    ),
    caught: /^4: a job \(message\) was deleted/,
  },
  'the files are named in another order': {
    // The digests name the files in the right order: a server that compares them refuses the message.
    faults: {
      rules: { checkDigest: false },
      ...changing(request, 'files.map(', 'files.toReversed().map('),
    },
    caught: /^2: a message has other files/,
  },
  'the submission leaves out files': {
    faults: changing(device, 'files: media.map(newFile)', 'files: media.slice(0, 1).map(newFile)'),
    caught: /^2: a message was submitted with other files/,
  },
  'files are sent that are not on screen': {
    faults: changing(
      device,
      "if (mediaIds.join() !== shown.map((it) => it.id).join()) return { is: 'changed' }",
      '',
    ),
    caught: /^2: a message was submitted with other files than were on screen/,
  },
  'the submission is written relaxed': {
    faults: changing(
      device,
      "      return { is: 'submitted', job }\n    },\n  )",
      "      return { is: 'submitted', job }\n    },\n    'relaxed',\n  )",
    ),
    caught: /^10: /,
  },
  'a message can be cancelled while it is requested': {
    faults: changing(
      machine,
      "stage.is === 'open' || stage.is === 'failed'",
      "stage.is !== 'cancelled' && stage.is !== 'delivered'",
    ),
    caught: /^1[12]: /,
  },
  'a cancelled message leaves its files on the device': {
    faults: changing(
      device.replace('message', 'jobs'),
      "    if (job.kind === 'message')\n      await eraseMedia",
      "    if (job.kind === 'post')\n      await eraseMedia",
    ),
    caught: /^13: /,
  },
  'the request is recorded after it was sent': {
    faults: changing(
      'sw/queue/kinds/request.ts',
      "  const current = await record({ type: 'requested' })\n  if (current?.stage.is !== 'requested') return\n  const end = await send()",
      "  const end = await send()\n  await record({ type: 'requested' })",
    ),
    caught: /^1: a job is requested before/,
  },
  'signing out deletes the files of messages': {
    faults: changing('device/session/purge.ts', ' && !jobs.has(row.draftId)', ''),
    caught: /^6: /,
  },
  'texts of one conversation are sent in any order': { faults: { anyOrder: true }, caught: /^order:/ },
  'a message is sent with the session of any person': { faults: { noOwner: true }, caught: /^5:/ },
}

test.each(Object.entries(planted))(
  'the stories detect a planted fault: %s',
  async (_name, { faults, caught }) => {
    const detected: string[] = []
    for (let seed = 1; seed <= 300 && detected.length === 0; seed++)
      detected.push(...(await runMessageStory(seed, faults)).filter((violation) => caught.test(violation)))
    expect(detected).not.toEqual([])
  },
)
