// Emails and media are counted by outcome, and errors go on to the caller.
import { expect, test, vi } from 'vitest'
import type { Mail, Mailer } from '#server/adapters/mail/relay.ts'
import type { LadderTask, MediaTask } from '#server/adapters/media/task.ts'
import type { MediaMaker } from '#server/adapters/media/maker.ts'
import { type Metrics, noMetrics } from './metrics.ts'
import { recordMails, recordMedia } from './recorded.ts'

const email = {} as Mail
const picture = { kind: 'image' } as MediaTask
const ladder = { kind: 'ladder' } as LadderTask

test('emails are counted as sent, refused or failed', async () => {
  const mail = vi.fn<Metrics['mail']>()
  const send = vi
    .fn<Mailer['send']>()
    .mockResolvedValueOnce({ is: 'sent' })
    .mockResolvedValueOnce({ is: 'refused', status: 550 })
    .mockRejectedValueOnce(new Error('no relay'))
  const mailer = recordMails({ send, close: () => undefined }, { ...noMetrics, mail })
  expect([await mailer.send(email), await mailer.send(email)]).toEqual([
    { is: 'sent' },
    { is: 'refused', status: 550 },
  ])
  await expect(mailer.send(email)).rejects.toThrow('no relay')
  expect(mail.mock.calls).toEqual([['sent'], ['refused'], ['failed']])
})

test('media are counted with their seconds, kind and outcome', async () => {
  const media = vi.fn<Metrics['media']>()
  let now = 0
  const answer =
    <T>(it: Promise<T>) =>
    () => {
      now += 1500
      return it
    }
  const make = vi
    .fn<MediaMaker['make']>()
    .mockImplementationOnce(answer(Promise.resolve({ is: 'refused', failure: 'unreadable' })))
    .mockImplementationOnce(answer(Promise.reject(new Error('died'))))
  const makeLadder = vi.fn<MediaMaker['makeLadder']>(answer(Promise.resolve({ is: 'ladder', steps: [] })))
  const maker = recordMedia({ make, makeLadder, close: () => undefined }, { ...noMetrics, media }, () => now)
  await maker.make(picture)
  await expect(maker.make(picture)).rejects.toThrow('died')
  await maker.makeLadder(ladder)
  expect(media.mock.calls.map(([it]) => it)).toEqual([
    { kind: 'image', outcome: 'refused', seconds: 1.5 },
    { kind: 'image', outcome: 'failed', seconds: 1.5 },
    { kind: 'ladder', outcome: 'made', seconds: 1.5 },
  ])
})
