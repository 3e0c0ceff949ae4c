// Planted faults of pictures and films: what was wrong before they were shown as picked.
import type { Fault } from './fault.ts'

const strips = ['server/adapters/media/strips.test.ts']
const films = ['server/adapters/media/films.test.ts']

export const mediaFaults: readonly Fault[] = [
  {
    name: 'the server refuses an animated PNG that the editor takes',
    file: 'server/adapters/files/sniff.ts',
    find: 'withFile(file, sniffBytes)',
    replace: `withFile(file, async (bytes) => {
    const animated = (await bytes.at(0, 4096)).hex(0, 4096).includes('6163544c')
    return animated ? undefined : sniffBytes(bytes)
  })`,
    tests: ['server/adapters/files/kinds.test.ts'],
    caughtBy: 'of every recorded file',
  },
  {
    name: 'the longer side decides how large a strip is sent',
    file: 'contract/kinds/long-pictures.ts',
    find: '  if (!isStrip({ width, height }) && !isPanorama({ width, height }))\n',
    replace: '',
    tests: ['contract/kinds/long-pictures.test.ts'],
    caughtBy: 'the shorter side of a strip or a panorama keeps a readable size',
  },
  {
    name: 'a strip higher than a WebP is not cut',
    file: 'server/adapters/media/strips.ts',
    find: 'partHeights(width, expected).length === 1',
    replace: 'expected > 0',
    tests: strips,
    caughtBy: 'is cut into parts that continue each other',
  },
  {
    name: 'a picture beyond the limits of WebP is called broken',
    file: 'server/adapters/media/picture.ts',
    find: '|too large for the/i',
    replace: '/i',
    tests: strips,
    caughtBy: 'is too large, not broken',
  },
  {
    name: 'a picture that is cut off is refused',
    file: 'server/adapters/media/picture.ts',
    find: "failOn: 'none' as const",
    replace: "failOn: 'truncated' as const",
    tests: ['server/modules/media/made.test.ts'],
    caughtBy: 'that are cut off are shown as far as they go',
  },
  {
    name: 'the length of a film is that of its index',
    file: 'server/adapters/media/remux.ts',
    find: 'Math.round(length)),',
    replace: 'Math.round((await track.getDurationFromMetadata()) ?? length)),',
    tests: films,
    caughtBy: 'a file that was cut off has the length of what is there',
  },
  {
    name: 'what was cut off at the beginning of a film is published',
    file: 'server/adapters/media/presentation.ts',
    find: 'return end > from + ROUNDING && packet.timestamp < to - ROUNDING',
    replace: 'return end > Math.min(from, -1e6) && packet.timestamp < to - ROUNDING',
    tests: films,
    caughtBy: 'what was cut off at its beginning',
  },
  {
    name: 'a film of 8 bits keeps the tags of HDR',
    file: 'server/adapters/media/encoding.ts',
    find: 'return isHdr(transfer) ? transfer : undefined',
    replace: 'return undefined',
    tests: films,
    caughtBy: 'film and poster are Rec. 709',
  },
]
