// Opens what makes media, with the sandbox in which files are decoded.
import type { Storage } from './adapters/files/storage.ts'
import {
  openFindingMaker,
  openMediaMaker,
  type MediaMaker,
  refusingMediaMaker,
} from './adapters/media/maker.ts'
import { sandboxHere, type SandboxFinder } from './adapters/media/sandbox/finder.ts'
import { recordMedia } from './adapters/metrics/recorded.ts'
import { traceMedia } from './adapters/traces/recorded.ts'
import type { Deps, Parts } from './deps.ts'

/** The maker of media, after the test of the sandbox in a server that makes some. */
export async function openMedia(
  parts: Parts,
  storage: Storage,
  { metrics, traces }: Pick<Deps, 'metrics' | 'traces'>,
): Promise<Pick<Deps, 'mediaMaker' | 'mediaSandbox' | 'refusesUnconfined'>> {
  const { mediaSandbox = sandboxHere, makesMedia = true, refusesUnconfined = false } = parts
  if (makesMedia) await mediaSandbox.find()
  return {
    mediaMaker: recordMedia(traceMedia(mediaMakerFor(parts, mediaSandbox, storage), traces), metrics),
    mediaSandbox: makesMedia ? mediaSandbox : undefined,
    refusesUnconfined,
  }
}

function mediaMakerFor(parts: Parts, finder: SandboxFinder, storage: Storage): MediaMaker {
  if (parts.mediaMaker) return parts.mediaMaker
  const options = { scratch: storage.scratch.folder, hidden: [parts.dataDir] }
  return openFindingMaker(finder, {
    confined: openMediaMaker({ ...options, sandbox: 'bubblewrap' }),
    otherwise: parts.refusesUnconfined ? refusingMediaMaker : openMediaMaker({ ...options, sandbox: 'none' }),
  })
}
