// The event that an end of a step is for its job, where the step has none of its own.
import type { EndEvent } from './events.ts'
import type { Clock, Outcome } from './ports.ts'

/** @returns undefined for an end that changes nothing about the job */
export function eventOf(end: Outcome<unknown>, clock: Pick<Clock, 'now' | 'random'>): EndEvent | undefined {
  switch (end.is) {
    case 'ok':
    case 'stopped':
      return undefined
    case 'signedOut':
      // A session that other servers accept comes back at once: the same step then waits longer each time.
      return end.refused && { type: 'tokenRefused', at: clock.now(), jitter: clock.random() }
    case 'lost': {
      const { is: _, ...told } = end
      return { type: 'lost', at: clock.now(), jitter: clock.random(), ...told }
    }
    case 'gone':
      return { type: 'refused', code: 'not_found' }
    case 'refused':
      return { type: 'refused', code: end.code, ...(end.fields ? { fields: end.fields } : {}) }
    case 'digestDiffers':
      return { type: 'digestDiffered', fileIds: end.mediaIds }
    case 'uploadsDenied':
      return { type: 'uploadsDenied' }
    default:
      return end satisfies never
  }
}
