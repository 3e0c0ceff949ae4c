// The name of a picture on the device, equal for all widths and signatures.
export interface PictureName {
  /** The media and what is seen of it: all widths are one picture, the blurred copy is another. */
  readonly ref: string
  /** px; 0 where there is but one. */
  readonly width: number
}

// Below `MEDIA_PATH`. Literals, so that the linter can check their run time.
const wholePath = /^\/api\/media\/([0-9a-f-]{36})\/(?:w(\d{1,5})|(poster|blurred|still|p\d{1,2}))$/
// By the names of the fields: a text that only contains a URL names no picture.
const field =
  /"(?:src|still|poster|blurred_url|avatar_url)":"\/api\/media\/([0-9a-f-]{36})\/(?:w(\d{1,5})|(poster|blurred|still|p\d{1,2}))["?]/g

const refOf = (mediaId = '', kind = 'wide') => `${mediaId}/${kind}`

/** The picture at a path below the origin; undefined for other paths, originals and videos. */
export function pictureName(pathname: string): PictureName | undefined {
  const found = wholePath.exec(pathname)
  return found ? { ref: refOf(found[1], found[3]), width: Number(found[2] ?? 0) } : undefined
}

/** Lists the pictures that a reply names, each once. @param json the reply as JSON */
export function picturesIn(json: string): string[] {
  return [...new Set(Array.from(json.matchAll(field), ([, mediaId, , kind]) => refOf(mediaId, kind)))]
}
