// Draws a picture off screen, scaled to the requested length; the result has no metadata.

const QUALITY = 0.85
/** Side of the small copy that is looked at, px. */
const SAMPLE = 64
/** Paler than this on white, nothing is seen; 0..255. */
const PALE = 240

/**
 * @param longest longest side, px; null keeps the size
 * @param type what is written; a browser that cannot write it gives PNG
 */
export async function drawn(
  source: ImageBitmap,
  longest: number | null,
  type: string,
  colorSpace: PredefinedColorSpace = 'srgb',
): Promise<Blob> {
  const scale = Math.min(1, (longest ?? Infinity) / Math.max(source.width, source.height))
  const width = Math.max(1, Math.round(source.width * scale))
  const height = Math.max(1, Math.round(source.height * scale))
  const canvas = blank(width, height)
  const context = contextOf(canvas, { colorSpace })
  if (type === 'image/jpeg') {
    // A JPEG knows no transparency; without this it turns black.
    context.fillStyle = vanishesOnWhite(source) ? '#000' : '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
  return written(canvas, type)
}

/** The same values, read as those of Display P3; `source` is closed. */
export async function asDisplayP3(source: ImageBitmap): Promise<ImageBitmap> {
  const { width, height } = source
  const context = contextOf(blank(width, height), { willReadFrequently: true })
  context.drawImage(source, 0, 0)
  source.close()
  const { data } = context.getImageData(0, 0, width, height)
  return createImageBitmap(new ImageData(data, width, height, { colorSpace: 'display-p3' }))
}

/** Whether a picture has transparent parts and all the rest of it is as good as white. */
function vanishesOnWhite(source: ImageBitmap): boolean {
  const context = contextOf(blank(SAMPLE, SAMPLE), { willReadFrequently: true })
  context.drawImage(source, 0, 0, SAMPLE, SAMPLE)
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE)
  let through = false
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 255) / 255
    through ||= alpha < 1
    for (let channel = at; channel < at + 3; channel++) {
      if (255 - alpha * (255 - (data[channel] ?? 0)) < PALE) return false
    }
  }
  return through
}

type Canvas = OffscreenCanvas | HTMLCanvasElement

/** Safari before 16.4 draws on the page alone. */
function blank(width: number, height: number): Canvas {
  if ('OffscreenCanvas' in globalThis) return new OffscreenCanvas(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

function contextOf(canvas: Canvas, settings: CanvasRenderingContext2DSettings) {
  // The two kinds have overloads of their own.
  const context = 'toBlob' in canvas ? canvas.getContext('2d', settings) : canvas.getContext('2d', settings)
  if (!context) throw new Error('there is no canvas to draw on')
  return context
}

function written(canvas: Canvas, type: string): Promise<Blob> {
  if (!('toBlob' in canvas)) return canvas.convertToBlob({ type, quality: QUALITY })
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be written'))),
      type,
      QUALITY,
    )
  })
}
