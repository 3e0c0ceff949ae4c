// Which of libvips' loaders may open a picture: the one of the recognised kind.
import sharp from 'sharp'

/** sharp's names of the formats that are decoded, and the classes libvips loads them with. */
const loaders = {
  jpeg: 'VipsForeignLoadJpeg',
  png: 'VipsForeignLoadPng',
  gif: 'VipsForeignLoadNsgif',
  webp: 'VipsForeignLoadWebp',
  svg: 'VipsForeignLoadSvg',
} as const
type Format = keyof typeof loaders

const formats: Readonly<Record<string, Format>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
}

/** Undefined for kinds that libvips does not open here. */
export function formatOf(mime: string): Format | undefined {
  return Object.hasOwn(formats, mime) ? formats[mime] : undefined
}

/** From here on this process opens pictures of one format alone. */
export function onlyLoader(format: Format): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: [loaders[format]] })
}
