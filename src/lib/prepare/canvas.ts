// Draws a picture off the page, no longer than asked; what comes out carries no metadata.

const QUALITY = 0.85

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
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(source.width * scale)),
    Math.max(1, Math.round(source.height * scale)),
  )
  const context = canvas.getContext('2d', { colorSpace })
  if (!context) throw new Error('there is no canvas to draw on')
  if (type === 'image/jpeg') {
    // A JPEG knows no transparency; without this it turns black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type, quality: QUALITY })
}
