// Counts emails and processed media around the adapters that handle them.
import type { Mailer } from '#server/adapters/mail/relay.ts'
import type { MediaMaker } from '#server/adapters/media/maker.ts'
import type { MeasuredMedia, Metrics } from './metrics.ts'

/** @returns the same mailer, whose results are counted */
export const recordMails = <M extends Mailer>(mailer: M, metrics: Pick<Metrics, 'mail'>): M => ({
  ...mailer,
  async send(mail) {
    try {
      const sent = await mailer.send(mail)
      metrics.mail(sent.is)
      return sent
    } catch (error) {
      metrics.mail('failed')
      throw error
    }
  },
})

/**
 * @returns the same maker, whose times are counted
 * @param clock milliseconds that go on by themselves
 */
export function recordMedia(
  maker: MediaMaker,
  metrics: Pick<Metrics, 'media'>,
  clock: () => number = () => performance.now(),
): MediaMaker {
  const timed = async <T>(
    kind: MeasuredMedia['kind'],
    work: () => Promise<T>,
    outcomeOf: (made: T) => MeasuredMedia['outcome'],
  ): Promise<T> => {
    const begun = clock()
    const count = (outcome: MeasuredMedia['outcome']) =>
      metrics.media({ kind, outcome, seconds: (clock() - begun) / 1000 })
    const made = await work().catch((error: unknown) => {
      count('failed')
      throw error
    })
    count(outcomeOf(made))
    return made
  }
  return {
    make: (task) =>
      timed(
        task.kind,
        () => maker.make(task),
        ({ is }) => (is === 'refused' ? 'refused' : 'made'),
      ),
    makeLadder: (task) =>
      timed(
        'ladder',
        () => maker.makeLadder(task),
        () => 'made',
      ),
    close: () => maker.close(),
  }
}
