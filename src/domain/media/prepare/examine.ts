// Examines a picked picture for what the server would refuse, before it is stored.
import type { PictureProblem } from '#contract/kinds/measure.ts'
import { AVIF_SAMPLE } from './avif-sample.ts'
import type { Recognised } from './kind.ts'
import { isConverted } from './prepare.ts'

/**
 * The problem of a picked picture; undefined for one without, and for videos.
 * @param keepSize it is sent in its original size
 */
export async function pictureProblem(
  file: Blob,
  { format, kind }: Recognised,
  keepSize: boolean,
): Promise<PictureProblem | undefined> {
  // A HEIC is decoded before it is sent.
  if (kind !== 'image' || format === 'heic') return undefined
  const isShown = await showsPart(file, format)
  if (format === 'svg') return isShown ? undefined : 'broken'
  if (!isShown && format === 'avif' && !(await showsAvif())) return 'no_avif'
  const { limitProblem } = await import('./picture.ts')
  // A browser that cannot show a picture cannot scale it either: its own size counts.
  const problem = await limitProblem(file, format, isShown && isConverted(format) && !keepSize)
  return problem ?? (isShown ? undefined : 'broken')
}

/** Whether this browser shows anything of a picture; every browser shows its formats, but for AVIF. */
async function showsPart(file: Blob, format: string): Promise<boolean> {
  if (!('Image' in globalThis)) return true
  const isDecoded = format === 'jpg' && !(await endsAsJpeg(file))
  const url = URL.createObjectURL(file)
  try {
    return await new Promise<boolean>((resolve) => {
      const image = new Image()
      image.addEventListener('load', () => resolve(!isDecoded || hasPixels(image)))
      image.addEventListener('error', () => resolve(false))
      image.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Whether the file ends with JPEG's end marker; what is missing elsewhere is found by decoding, which is slow. */
async function endsAsJpeg(file: Blob): Promise<boolean> {
  const [one, two] = new Uint8Array(await file.slice(-2).arrayBuffer())
  return one === 0xff && two === 0xd9
}

/** Side of the copy whose pixels are read, px. */
const SAMPLE = 64

/** Whether a loaded JPEG has any pixel: one that ends after its header is drawn as transparent, which a JPEG never is. */
function hasPixels(image: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SAMPLE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return true
  context.drawImage(image, 0, 0, SAMPLE, SAMPLE)
  return context.getImageData(0, 0, SAMPLE, SAMPLE).data.some((it) => it !== 0)
}

/** Whether this browser decodes AVIF at all: old ones do not. */
function showsAvif(): Promise<boolean> {
  const bytes = Uint8Array.from(atob(AVIF_SAMPLE), (it) => it.charCodeAt(0))
  return showsPart(new Blob([bytes], { type: 'image/avif' }), 'avif')
}
