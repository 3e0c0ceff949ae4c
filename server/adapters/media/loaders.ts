// Restricts libvips to the one loader of a picture's recognised kind.
import sharp from 'sharp'

/** sharp's names of the decoded formats, and libvips' loader classes. */
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

/** The format of a kind; undefined for kinds that libvips may not open. */
export function formatOf(mime: string): Format | undefined {
  return Object.hasOwn(formats, mime) ? formats[mime] : undefined
}

/** Restricts this process to pictures of one format, until it ends. */
export function onlyLoader(format: Format): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: [loaders[format]] })
}
