// Crops and scales a picture.
import { recognise } from './prepare/kind.ts'
import { prepare } from './prepare/prepare.ts'

/** A part of a picture, in its pixels. */
export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/**
 * A picked file as a picture for every browser, without metadata, and the first frame of one that moves, since a part of
 * it is sent; undefined for other files.
 */
export async function pickedPicture(file: File): Promise<Blob | undefined> {
  const seen = await recognise(file)
  if (seen?.kind !== 'image') return undefined
  const ready = await prepare(file, seen, false).catch(() => undefined)
  if (!ready) return undefined
  const { firstFrameOf } = await import('./prepare/picture.ts')
  return (await firstFrameOf(ready.file, null)) ?? ready.file
}

/**
 * @param area in pixels of the picture
 * @param width of what is drawn, at most; a smaller part is not made larger
 */
export async function cropped(picture: Blob, area: CropArea, width: number): Promise<Blob> {
  const image = await loaded(picture)
  const scale = Math.min(1, width / area.width)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(area.width * scale))
  canvas.height = Math.max(1, Math.round(area.height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('the canvas has no 2d context')
  pen.imageSmoothingQuality = 'high'
  // JPEG has no transparency; transparent parts would become black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the canvas could not be encoded'))),
      'image/jpeg',
      0.9,
    )
  })
}

async function loaded(picture: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(picture)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(url)
  }
}
