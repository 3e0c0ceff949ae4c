// Makes a span of each file that is processed.
import type { MediaMaker } from '#server/adapters/media/maker.ts'
import { inStep, type Traces } from './traces.ts'

/** @returns the same maker, whose work has spans where tracing is on */
export function traceMedia(maker: MediaMaker, traces: Traces | undefined): MediaMaker {
  if (!traces) return maker
  const step = async <T>(kind: string, work: () => Promise<T>, outcomeOf: (made: T) => string) => {
    const span = traces.step(`media ${kind}`, () => ({ 'todoke.media.kind': kind }))
    return inStep(span, async () => {
      const made = await work()
      span?.set({ 'todoke.media.outcome': outcomeOf(made) })
      return made
    })
  }
  return {
    make: (task) =>
      step(
        task.kind,
        () => maker.make(task),
        ({ is }) => is,
      ),
    makeLadder: (task) =>
      step(
        'ladder',
        () => maker.makeLadder(task),
        ({ is }) => is,
      ),
    close: () => maker.close(),
  }
}
